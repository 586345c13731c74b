import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock, raceForLock, waitForWaiting } from '#tests/support/database/race.ts';
import { mailResetLink } from './password-resets.service.ts';

let api: TestApi;
let user: TestUser;
const start = new Date('2026-11-21T03:00:00.900Z');

before(async () => {
  api = await createTestApi();
});
after(() => api.close());
beforeEach(async () => {
  api.clock.set(start);
  user = await createUser(api, { name: 'Ayu <b>& co</b>' });
});

const outbox = () => join(api.context.config.DATA_DIR, 'outbox');
const ask = (email: string) => api.send('POST /api/auth/forgot-password', { body: { email } });
const verify = async (token: string) =>
  (await api.send(`GET /api/auth/verify-reset-token/${token}`)).json<{ valid: boolean }>().valid;
const reset = (token: string, newPassword = 'a brand new password') =>
  api.send('POST /api/auth/reset-password', { body: { token, newPassword } });

/** Waits for the user's mails, because forgot-password may be answered before the last one is sent. */
async function readMails(expected: number) {
  for (;;) {
    const names = await readdir(outbox()).catch(() => []);
    const texts = await Promise.all(
      names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(outbox(), name))),
    );
    const mails = await Promise.all(texts.map((text) => PostalMime.parse(text)));
    const own = mails.filter((mail) => mail.to?.[0]?.address === user.email);
    if (own.length >= expected) return own;
    await delay(5);
  }
}

async function askForToken(): Promise<string> {
  await ask(user.email);
  const [mail] = await readMails(1);
  return /reset-password\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? assert.fail('no link in the mail');
}

test('the mail carries the link in both languages, and nobody else can read it', async () => {
  const answer = await ask(user.email.toUpperCase());
  assert.equal(answer.statusCode, 200);
  const [mail] = await readMails(1);
  assert.deepEqual(mail?.to, [{ address: user.email, name: 'Ayu <b>& co</b>' }]);
  assert.equal(mail.from?.address, 'coverdesk@localhost');
  assert.equal(mail.subject, 'Set a new Coverdesk password / Buat kata sandi Coverdesk baru');
  for (const text of [mail.text, mail.html]) {
    assert.match(text ?? '', /Someone asked for a new password/);
    assert.match(text ?? '', /Seseorang meminta kata sandi baru/);
    assert.match(text ?? '', /http:\/\/coverdesk\.test\/reset-password\/[\w-]{43}/);
  }
  assert.doesNotMatch(mail.html ?? '', /<b>/);
  for (const name of await readdir(outbox())) {
    assert.equal((await stat(join(outbox(), name))).mode & 0o777, 0o600);
  }
});

test('an unknown address gets the same answer and no mail', async () => {
  const known = await ask(user.email);
  const unknown = await ask('nobody@example.test');
  assert.equal(unknown.statusCode, 200);
  assert.deepEqual(unknown.json(), known.json());
  const { rows } = await api.context.db.query('SELECT user_id FROM password_resets WHERE user_id = $1', [
    user.id,
  ]);
  assert.equal(rows.length, 1);
});

test('at most five mails are sent per hour, also for concurrent calls', async () => {
  let sent = 0;
  const send = async () => {
    sent += 1;
  };
  await raceForLock(
    api.context.db,
    ['SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]],
    Array.from({ length: 8 }, () => () => mailResetLink(api.context, send, user.email)),
  );
  assert.equal(sent, 5);
  await ask(user.email);
  api.clock.set(new Date(start.getTime() + 3_600_000));
  await ask(user.email);
  assert.equal((await readMails(1)).length, 1);
});

test('mails from before the clock was set back do not count', async () => {
  let sent = 0;
  const send = async () => {
    sent += 1;
  };
  api.clock.set(new Date(start.getTime() + 86_400_000));
  for (let mail = 0; mail < 6; mail++) await mailResetLink(api.context, send, user.email);
  assert.equal(sent, 5);
  api.clock.set(start);
  await mailResetLink(api.context, send, user.email);
  assert.equal(sent, 6);
});

test('a link sets a password once, ends the sessions, and the first-password state', async () => {
  await api.context.db.query('UPDATE users SET new_user = true WHERE id = $1', [user.id]);
  const token = await askForToken();
  const { rows } = await api.context.db.query(
    "SELECT encode(token_hash, 'hex') AS hash FROM password_resets",
  );
  assert.ok(rows.every((row) => row.hash.length === 64));
  assert.equal(await verify(token), true);
  const answers = await Promise.all([reset(token), reset(token), reset(token)]);
  assert.deepEqual(answers.map((answer) => answer.statusCode).sort(), [200, 400, 400]);
  const refused = answers.find((answer) => answer.statusCode === 400);
  const { message, details } = refused?.json() ?? {};
  assert.deepEqual([message, details], ['Invalid or expired reset link', [{ path: 'token', message }]]);
  assert.equal(await verify(token), false);
  assert.equal((await api.send('GET /api/tickets/last', { token: user.token })).statusCode, 401);

  const body = { email: user.email, password: 'a brand new password' };
  const login = await api.send('POST /api/auth/login', { body });
  const fresh = login.json<{ token: string }>().token;
  assert.equal((await api.send('GET /api/tickets/last', { token: fresh })).statusCode, 200);
});

test('a reset ends the other links that were asked for', async () => {
  const older = await askForToken();
  await ask(user.email);
  const tokens = (await readMails(2)).map(
    (mail) => /reset-password\/([\w-]+)/.exec(mail.text ?? '')?.[1] ?? '',
  );
  const newer = tokens.find((token) => token !== older) ?? assert.fail('no second link');
  assert.equal((await reset(newer)).statusCode, 200);
  assert.equal(await verify(older), false);
  assert.equal((await reset(older, 'a stranger’s password')).statusCode, 400);
});

test('a link ends after 60 minutes, and by a password change', async () => {
  const token = await askForToken();
  api.clock.set(new Date(start.getTime() + 3_599_000));
  assert.equal(await verify(token), true);
  api.clock.set(new Date(start.getTime() + 3_600_000));
  assert.equal(await verify(token), false);
  assert.equal((await reset(token)).statusCode, 400);

  api.clock.set(start);
  const body = { currentPassword: user.password, newPassword: 'another password' };
  assert.equal(
    (await api.send('POST /api/auth/change-password', { token: user.token, body })).statusCode,
    200,
  );
  assert.equal(await verify(token), false);
});

const usersLock = 'SELECT FROM users WHERE id = $1 FOR SHARE';

test('a reset refuses a sign-in by the old password that settles after it', async () => {
  const { db } = api.context;
  const token = await askForToken();
  const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
  const answer = await holdLock(db, [lock, [`sign-in ${user.email} 127.0.0.1`]], async (letGo) => {
    const signingIn = api.send('POST /api/auth/login', { body: user });
    await waitForWaiting(db, 1);
    assert.equal((await reset(token)).statusCode, 200);
    await letGo();
    return signingIn;
  });
  assert.equal(answer.statusCode, 401);
});

test('a reset ends a session that was opened while the reset waited for the user', async () => {
  const { db } = api.context;
  const token = await askForToken();
  const [answer, signedIn] = await holdLock(db, [usersLock, [user.id]], async (letGo) => {
    const resetting = reset(token);
    await waitForWaiting(db, 1);
    api.clock.set(new Date(start.getTime() + 5000));
    const login = await api.send('POST /api/auth/login', { body: user });
    await letGo();
    return [await resetting, login];
  });
  assert.equal(answer.statusCode, 200);
  const session = signedIn.json<{ token: string }>().token;
  assert.equal((await api.send('GET /api/tickets/last', { token: session })).statusCode, 401);
});

test('a concurrent change and reset do not deadlock, and the later one is refused', async () => {
  const token = await askForToken();
  const body = { currentPassword: user.password, newPassword: 'another password' };
  const answers = await raceForLock(
    api.context.db,
    [usersLock, [user.id]],
    [() => api.send('POST /api/auth/change-password', { token: user.token, body }), () => reset(token)],
  );
  assert.deepEqual(
    answers.map((answer) => answer.statusCode),
    [200, 400],
  );
});

test('a refused reset has a reason', async () => {
  for (const token of ['unknown', '', 'x'.repeat(201), 'x'.repeat(10_000)]) {
    const answer = await reset(token);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().message, 'Invalid or expired reset link');
  }
  const short = await reset(await askForToken(), '1234567');
  assert.equal(short.json().message, 'Password must be at least 8 characters long');
});

test('an unknown token is answered as not valid', async () => {
  for (const token of [
    'unknown',
    'x'.repeat(201),
    'x'.repeat(301),
    'x'.repeat(4000),
    '%20',
    'a%2Fb',
    '%00',
  ]) {
    const answer = await api.send(`GET /api/auth/verify-reset-token/${token}`);
    assert.equal(answer.statusCode, 200, token);
    assert.deepEqual(answer.json(), { valid: false });
  }
});
