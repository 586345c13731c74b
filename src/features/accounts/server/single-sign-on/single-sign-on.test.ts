import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { createCompany, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { oidcClient, signInAtProvider, startOidcProvider } from '#tests/support/oidc/oidc-provider.ts';
import { readFlowCookie, writeFlowCookie } from './flow-cookie.ts';

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let api: TestApi;
let admin: TestUser;
let people = 0;

before(async () => {
  provider = await startOidcProvider('http://coverdesk.test/api/auth/oidc/callback');
  api = await createTestApi({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: oidcClient.id,
    OIDC_CLIENT_SECRET: oidcClient.secret,
    OIDC_COMPANY_CLAIM: 'company',
    SECOND_FACTOR_ROLES: 'company-admin',
  });
  admin = await createUser(api, { superadmin: true });
});
after(async () => {
  await api.close();
  await provider.close();
});

/** Adds a person to the provider. @returns the subject */
function addPerson(claims: object): string {
  people += 1;
  provider.people.set(`person-${people}`, { email_verified: true, ...claims });
  return `person-${people}`;
}

const open = (path: string, cookie = '') => api.send(`GET ${path}`, { headers: { cookie } });

/** Begins in a browser of the product. @returns the provider's address, and the browser's cookie */
async function begin() {
  const answer = await open('/api/auth/oidc');
  assert.equal(answer.statusCode, 302, answer.body);
  const cookie = String(answer.headers['set-cookie']);
  return { address: String(answer.headers.location), cookie, pair: cookie.split(';', 1)[0] ?? '' };
}

/** Returns the parameters with which the callback leads to the sign-in screen. */
async function comeBack({ pathname, search }: URL, cookie: string) {
  const answer = await open(`${pathname}${search}`, cookie);
  assert.equal(answer.statusCode, 302, answer.body);
  const { origin, pathname: screen, searchParams } = new URL(String(answer.headers.location));
  assert.deepEqual([origin, screen], ['http://coverdesk.test', '/login']);
  return Object.fromEntries(searchParams);
}

async function signOn(subject: string | null) {
  const { address, pair } = await begin();
  return comeBack(await signInAtProvider(address, subject), pair);
}
const redeem = (code = '') => api.send('POST /api/auth/oidc/token', { body: { code } });

test('a user signs in with a verified email address, by a code that counts once', async () => {
  const user = await createUser(api);
  const subject = addPerson({ email: user.email.toUpperCase() });
  const { code } = await signOn(subject);
  const answer = await redeem(code);
  assert.equal(answer.statusCode, 200, answer.body);
  const { token } = answer.json();
  assert.deepEqual([decodeJwt(token).sub, decodeJwt(token).email], [String(user.id), user.email]);
  assert.equal((await api.send('GET /api/tickets/last', { token })).statusCode, 200);
  const again = await redeem(code);
  assert.deepEqual([again.statusCode, again.json().code], [401, 'code_invalid']);
  const { data } = await readAuditLog(api, admin, `?object_id=${user.id}&limit=1`);
  assert.deepEqual([data[0]?.action, data[0]?.after], ['user.sign-in', { by: 'single sign-on' }]);
  const { rows } = await api.context.db.query('SELECT * FROM single_sign_on_codes');
  assert.ok(!JSON.stringify(rows).includes(String(code)));
});

test('of two exchanges of one code at once, one succeeds, and none after a minute', async () => {
  const user = await createUser(api);
  const subject = addPerson({ email: user.email });
  const { code } = await signOn(subject);
  const answers = await Promise.all([redeem(code), redeem(code)]);
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 401]);
  const late = await signOn(subject);
  api.clock.set(new Date(Date.now() + 60_000));
  assert.equal((await redeem(late.code)).statusCode, 401);
  api.clock.set(undefined);
});

test('the browser that began must come back, with its own sign-in and within ten minutes', async () => {
  const user = await createUser(api);
  const { address, cookie, pair } = await begin();
  assert.match(cookie, /^coverdesk-oidc=sealed\.[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  const wanted = new URL(address).searchParams;
  assert.deepEqual([wanted.get('code_challenge_method'), wanted.get('response_type')], ['S256', 'code']);
  assert.ok(wanted.get('state') && wanted.get('nonce') && wanted.get('code_challenge'));
  const back = await signInAtProvider(address, addPerson({ email: user.email }));
  const other = await begin();
  for (const foreign of ['', other.pair, pair.slice(0, -4), 'coverdesk-oidc={}']) {
    assert.deepEqual(await comeBack(back, foreign), { sso: 'expired' }, foreign);
  }
  api.clock.set(new Date(Date.now() + 600_000));
  assert.deepEqual(await comeBack(back, pair), { sso: 'expired' });
  api.clock.set(undefined);
  assert.ok((await comeBack(back, pair)).code);
  // The provider's code is used up.
  assert.deepEqual(await comeBack(back, pair), { sso: 'unavailable' });
});

test('over TLS the cookie is bound to this host', () => {
  const flow = { state: 'a', nonce: 'b', verifier: 'c' };
  const cookie = writeFlowCookie(flow, new Date(), true);
  assert.match(cookie, /^__Host-coverdesk-oidc=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
  assert.deepEqual(readFlowCookie(`theme=dark; ${cookie}`, new Date(), true), flow);
  assert.equal(readFlowCookie(cookie, new Date(), false), undefined);
});

test('unverified, unknown and deactivated people are refused, and a cancelled sign-in says so', async () => {
  const user = await createUser(api);
  const { email } = user;
  assert.deepEqual(await signOn(addPerson({ email, email_verified: false })), { sso: 'unverified' });
  assert.deepEqual(await signOn(addPerson({})), { sso: 'unverified' });
  const stranger = 'stranger@example.test';
  assert.deepEqual(await signOn(addPerson({ email: stranger })), { sso: 'refused' });
  assert.deepEqual(await signOn(addPerson({ email: stranger, company: 'XXX999' })), { sso: 'refused' });
  await api.context.db.query('UPDATE users SET active = false WHERE id = $1', [user.id]);
  assert.deepEqual(await signOn(addPerson({ email })), { sso: 'refused' });
  assert.deepEqual(await signOn(null), { sso: 'cancelled' });
  const { data } = await readAuditLog(api, admin, '?action=user.sign-in-refused&limit=1');
  assert.deepEqual(data[0]?.after, { email, known_account: true, by: 'single sign-on' });
});

test('an invited person accepts the invitation, and a person of an active client becomes its user', async () => {
  const companyCode = await createCompany(api);
  const invited = { email: 'invited@example.test', role: 'company-admin', company_code: companyCode };
  const sent = await api.send('POST /api/invitations', {
    token: admin.token,
    body: { ...invited, first_name: 'Ayu', last_name: 'Lestari' },
  });
  assert.equal(sent.statusCode, 201, sent.body);
  const { code } = await signOn(addPerson({ email: invited.email, name: 'Somebody else' }));
  const { token } = (await redeem(code)).json();
  const { name, role, company_code } = decodeJwt(token);
  assert.deepEqual(
    { name, role, company_code },
    { name: 'Ayu Lestari', role: 'company-admin', company_code: companyCode },
  );
  const open = await api.send('GET /api/invitations', { token: admin.token });
  assert.equal(open.json().pagination.totalItems, 0);

  const names = { given_name: 'Budi', family_name: 'Santoso' };
  const colleague = addPerson({ email: 'budi@example.test', company: companyCode, ...names });
  const second = decodeJwt((await redeem((await signOn(colleague)).code)).json().token);
  assert.deepEqual([second.name, second.company_code, second.new_user], ['Budi Santoso', companyCode, '0']);
  const early = { ...invited, email: 'early@example.test', first_name: 'Citra', last_name: '' };
  assert.equal(
    (await api.send('POST /api/invitations', { token: admin.token, body: early })).statusCode,
    201,
  );
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [companyCode]);
  assert.deepEqual(await signOn(addPerson({ email: early.email })), { sso: 'refused' });
  const late = addPerson({ email: 'late@example.test', company: companyCode });
  assert.deepEqual(await signOn(late), { sso: 'refused' });
});

test('a company claim decides, whoever has invited the person', async () => {
  const [own, foreign] = [await createCompany(api), await createCompany(api)];
  const invite = async (email: string, company_code: string, role = 'company-admin') => {
    const body = { email, first_name: 'Ayu', last_name: 'Lestari', role, company_code };
    const { statusCode } = await api.send('POST /api/invitations', { token: admin.token, body });
    assert.equal(statusCode, 201);
  };
  const signedIn = async (email: string, company?: string) => {
    const told = await signOn(addPerson({ email, name: 'Ayu', ...(company && { company }) }));
    if (!told.code) return told;
    const { company_code, role } = decodeJwt((await redeem(told.code)).json().token);
    return { company_code, role: role ?? 'user' };
  };
  await invite('captured@example.test', foreign);
  assert.deepEqual(await signedIn('captured@example.test', own), { company_code: own, role: 'user' });
  await invite('both@example.test', foreign);
  await invite('both@example.test', own);
  assert.deepEqual(await signedIn('both@example.test', own), { company_code: own, role: 'company-admin' });
  await invite('chooses@example.test', foreign);
  await invite('chooses@example.test', own);
  assert.deepEqual(await signedIn('chooses@example.test'), { sso: 'refused' });
  const closed = await createCompany(api);
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [closed]);
  await invite('unclaimed@example.test', foreign);
  for (const company of [closed, 'XXX999'])
    assert.deepEqual(await signedIn('unclaimed@example.test', company), { sso: 'refused' });
  assert.deepEqual(await signedIn('unclaimed@example.test'), {
    company_code: foreign,
    role: 'company-admin',
  });
});

test('a new person who signs in twice at once becomes one user, by an invitation or a company', async () => {
  const companyCode = await createCompany(api);
  const invited = { email: 'twice@example.test', role: 'user', company_code: companyCode };
  const body = { ...invited, first_name: 'Ayu', last_name: 'Lestari' };
  assert.equal((await api.send('POST /api/invitations', { token: admin.token, body })).statusCode, 201);
  const claimed = 'claimed@example.test';
  for (const [person, lock] of [
    [addPerson({ email: invited.email }), 'SELECT FROM invitations FOR UPDATE'],
    [addPerson({ email: claimed, company: companyCode }), 'LOCK TABLE users IN SHARE MODE'],
  ] as const) {
    const flows = [await begin(), await begin()];
    const returns = await Promise.all(flows.map(({ address }) => signInAtProvider(address, person)));
    const answers = await raceForLock(
      api.context.db,
      [lock, []],
      returns.map((back, index) => () => comeBack(back, flows[index]?.pair ?? '')),
    );
    assert.deepEqual(
      answers.map((told) => Object.keys(told)[0]),
      ['code', 'code'],
    );
    for (const { code } of answers) assert.equal((await redeem(code)).statusCode, 200);
  }
});

test('an invited person who signs in while the client is deleted keeps nobody waiting', async () => {
  const companyCode = await createCompany(api);
  const { rows } = await api.context.db.query('SELECT id FROM clients WHERE company_code = $1', [
    companyCode,
  ]);
  const email = 'leaving@example.test';
  const body = { email, first_name: 'Ayu', last_name: '', role: 'user', company_code: companyCode };
  assert.equal((await api.send('POST /api/invitations', { token: admin.token, body })).statusCode, 201);
  const { address, pair } = await begin();
  const back = await signInAtProvider(address, addPerson({ email }));
  const answers = await raceForLock<unknown>(
    api.context.db,
    ['SELECT FROM invitations WHERE email = $1 FOR UPDATE', [email]],
    [
      async () => Object.keys(await comeBack(back, pair)),
      async () => (await api.send(`DELETE /api/clients/${rows[0].id}`, { token: admin.token })).statusCode,
    ],
  );
  assert.deepEqual(answers, [['code'], 409]);
});

test("the provider's sign-in counts as the second factor", async () => {
  const user = await createUser(api, { companyAdmin: true });
  const last = (token: string) => api.send('GET /api/tickets/last', { token });
  assert.equal((await last(user.token)).json().code, 'second_factor_required');
  const subject = addPerson({ email: user.email });
  const first = (await redeem((await signOn(subject)).code)).json();
  assert.equal((await last(first.token)).statusCode, 200);
  const change = { currentPassword: user.password, newPassword: 'nine brown kettles' };
  const changed = await api.send('POST /api/auth/change-password', { token: first.token, body: change });
  assert.equal((await last(changed.json().token)).statusCode, 200);
  const { token } = changed.json();
  const { secret } = (await api.send('POST /api/auth/totp', { token })).json();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  assert.equal((await api.send('POST /api/auth/totp/confirm', { token, body: { code } })).statusCode, 200);
  assert.equal((await redeem((await signOn(subject)).code)).statusCode, 200);
});

test('a new password between provider and exchange ends the code', async () => {
  const user = await createUser(api);
  const { code } = await signOn(addPerson({ email: user.email }));
  const change = { currentPassword: user.password, newPassword: 'nine brown kettles' };
  await api.send('POST /api/auth/change-password', { token: user.token, body: change });
  assert.equal((await redeem(code)).statusCode, 401);
});

test('a provider that does not answer, or answers endlessly, leads back, and passwords go on', async (context) => {
  const broken = createServer((_request, response) => response.end('x'.repeat(2_000_000)));
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
  const settings = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
  const other = await createTestApi(settings);
  context.after(() => other.close());
  const begun = async () => (await other.send('GET /api/auth/oidc')).headers.location;
  assert.equal(await begun(), 'http://coverdesk.test/login?sso=unavailable');
  await new Promise((resolve) => broken.close(resolve).closeAllConnections());
  assert.equal(await begun(), 'http://coverdesk.test/login?sso=unavailable');
  assert.ok((await createUser(other)).token);
  assert.deepEqual((await other.send('GET /api/auth/options')).json(), { single_sign_on: true });
});

test('without a provider there is no single sign-on', async (context) => {
  const other = await createTestApi();
  context.after(() => other.close());
  assert.deepEqual((await other.send('GET /api/auth/options')).json(), { single_sign_on: false });
  for (const path of ['/api/auth/oidc', '/api/auth/oidc/callback']) {
    const answer = await other.send(`GET ${path}`);
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'no_single_sign_on']);
  }
});
