// Checks the ETag of polled calls (docs/rules.md, API): 304 if and only if the response would be the same.
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readContracts } from '#tests/support/api/contracts.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { waitFor } from '#tests/support/wait.ts';

let api: TestApi;
let user: TestUser;
let admin: TestUser;

before(async () => {
  api = await createTestApi();
  user = await createUser(api);
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const createTicket = (rows = 3) =>
  createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Processing',
    rows: Array.from({ length: rows }, () => ({})),
  });

const callsAbout = (number: string) => [
  `/tickets/progress?ticket_number=${number}`,
  '/tickets/progress',
  '/tickets/all-progress',
  '/tickets/activity?since=2026-01-01T00:00:00.000Z',
  '/tickets/ticket-numbers',
  '/tickets/find',
  `/tickets/by-number?ticket_number=${number}`,
  `/imei?ticket_number=${number}`,
  `/imei?ticket_number=${number}&limit=50&page=1&counts=1&sort=type`,
  '/tickets',
];

const poll = (path: string, tag?: string, more: { token?: string; headers?: Record<string, string> } = {}) =>
  api.send(`GET /api${path}`, {
    token: more.token ?? admin.token,
    headers: { ...(tag !== undefined && { 'if-none-match': tag }), ...more.headers },
  });

const tagOf = async (path: string, token?: string) => {
  const answer = await poll(path, undefined, token === undefined ? {} : { token });
  assert.equal(answer.statusCode, 200, path);
  return String(answer.headers.etag);
};

test('every read that the web app marks as polled has an ETag', async () => {
  const tagged = (await readContracts()).flatMap(({ name, tagged }) => (tagged ? [name] : []));
  const source = fileURLToPath(new URL('../../../../src', import.meta.url));
  let found = 0;
  for await (const path of glob('**/web/**/*.{ts,tsx}', { cwd: source })) {
    const code = await readFile(`${source}/${path}`, 'utf8');
    const marks = code.match(/\bpolled\(/g)?.length ?? 0;
    const names = [...code.matchAll(/\bpolled\(\s*\w+<typeof (\w+)>/g)].map(([, name]) => name);
    assert.equal(names.length, marks, `${path}: each mark has its read`);
    for (const name of names) assert.ok(name && tagged.includes(name), `${path}: ${name} has no ETag`);
    found += marks;
  }
  assert.ok(found > 0);
});

test('every call that a screen repeats has an ETag', async () => {
  const tagged = (await readContracts()).flatMap(({ path, tagged }) => (tagged ? [path] : []));
  assert.deepEqual(tagged.toSorted(), [
    '/audit',
    '/budgets/{company_code}',
    '/data/upload/{key}',
    '/imei',
    '/invitations',
    '/invoices',
    '/invoices/month-end',
    '/invoices/reminders',
    '/invoices/seller',
    '/invoices/{id}',
    '/notifications',
    '/proxies/sets',
    '/sources',
    '/status',
    '/terms/{company_code}',
    '/tickets',
    '/tickets/activity',
    '/tickets/all-progress',
    '/tickets/by-number',
    '/tickets/changes',
    '/tickets/compare',
    '/tickets/find',
    '/tickets/progress',
    '/tickets/ticket-numbers',
    '/tokens',
    '/users',
    '/users/{id}/tokens',
    '/watch/{company_code}',
    '/webhooks',
    '/webhooks/{id}/deliveries',
    '/webhooks/{id}/deliveries/{delivery_id}',
  ]);
});

test('an unchanged response is a 304 without a body if If-None-Match names its ETag', async (t) => {
  // Each minute adds its calls to the answer of sources.
  t.after(() => api.clock.set(undefined));
  api.clock.set(new Date());
  const { number } = await createTicket();
  for (const path of [...callsAbout(number), '/sources', '/proxies/sets']) {
    const tag = await tagOf(path);
    const again = await poll(path, tag);
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', tag], path);
    assert.equal(again.headers['content-type'], undefined, path);
    const weak = tag.startsWith('W/') ? tag : `W/${tag}`;
    for (const header of [`"else", ${weak}`, `${tag},"else"`, '*']) {
      assert.equal((await poll(path, header)).statusCode, 304, `${path} ${header}`);
    }
    assert.equal((await poll(path, '"made up"')).statusCode, 200, path);
  }
});

test('failures and calls that are not polled have no ETag', async () => {
  for (const path of ['/tickets/progress?ticket_number=999999', '/tickets/last']) {
    assert.equal((await poll(path)).headers.etag, undefined, path);
    assert.notEqual((await poll(path, '*')).statusCode, 304, path);
  }
});

test('after every visible change of a ticket or its rows the full response is sent', async () => {
  const { id, number } = await createTicket();
  const run = (text: string) => api.context.db.query(text.replaceAll('$1', String(id)));
  const changes: Record<string, [change: () => Promise<unknown>, unseenBy: RegExp]> = {
    'a result': [
      () =>
        run(`WITH s AS (UPDATE serials SET state = 'done', type = 'iPhone' WHERE ticket_id = $1 AND position = 1)
             UPDATE tickets SET done = 1 WHERE id = $1`),
      /^$/,
    ],
    'attempts of a row that waits': [
      () => run('UPDATE serials SET attempts = attempts + 1 WHERE ticket_id = $1 AND position = 2'),
      /^\/tickets/,
    ],
    'what it waits for': [
      () => run(`UPDATE tickets SET waiting_for = 'source', waiting_source = 'GSX' WHERE id = $1`),
      // The activity mentions a waiting ticket only if all running tickets wait.
      /^\/imei|^\/tickets$|ticket-numbers|find|by-number/,
    ],
    'its terms': [
      () =>
        api.send(`PUT /api/tickets/${id}`, {
          token: admin.token,
          body: { data_count: 9, discount: 5, current_dollar_price: 15_000 },
        }),
      /progress/,
    ],
    'its end': [() => api.send(`POST /api/tickets/${id}/cancel`, { token: admin.token }), /^$/],
  };
  for (const [what, [change, unseenBy]] of Object.entries(changes)) {
    const paths = callsAbout(number);
    const tags = await Promise.all(paths.map((path) => tagOf(path)));
    await change();
    for (const [i, path] of paths.entries()) {
      const { statusCode } = await poll(path, tags[i]);
      assert.equal(statusCode, unseenBy.test(path) ? 304 : 200, `${what}: ${path}`);
    }
  }
  // An ended ticket is not part of the activity.
  const paths = callsAbout(number).filter((path) => !path.includes('activity'));
  const tags = await Promise.all(paths.map((path) => tagOf(path)));
  await api.send(`DELETE /api/tickets/${id}`, { token: admin.token });
  for (const [i, path] of paths.entries()) {
    assert.notEqual((await poll(path, tags[i])).statusCode, 304, `its deletion: ${path}`);
  }
});

test('an ETag does not match the response in another scope, language or day', async (t) => {
  const { id, number } = await createTicket();
  await api.context.db.query(`UPDATE tickets SET waiting_for = 'proxies' WHERE id = $1`, [id]);
  const stranger = await createUser(api);
  const path = `/tickets/progress?ticket_number=${number}`;
  const tag = await tagOf(path, user.token);
  assert.equal((await poll(path, tag, { token: stranger.token })).statusCode, 404);
  assert.equal((await poll(path, tag, { token: user.token })).statusCode, 304);
  const said = await poll(path, tag, { token: user.token, headers: { 'accept-language': 'id' } });
  assert.equal(said.statusCode, 200);
  assert.notEqual(said.json().waiting_reason, (await poll(path)).json().waiting_reason);

  await api.context.db.query(
    `UPDATE serials SET state = 'done', coverage_end_date = '2026-12-31' WHERE ticket_id = $1`,
    [id],
  );
  await api.context.db.query('UPDATE tickets SET done = 3 WHERE id = $1', [id]);
  const rows = `/imei?ticket_number=${number}`;
  t.after(() => api.clock.set(undefined));
  api.clock.set(new Date('2026-12-01T10:00:00Z'));
  const login = await api.send('POST /api/auth/login', { body: user });
  const { token } = login.json<{ token: string }>();
  const today = await tagOf(rows, token);
  api.clock.set(new Date('2026-12-01T16:59:00Z'));
  assert.equal((await poll(rows, today, { token })).statusCode, 304);
  api.clock.set(new Date('2026-12-01T17:00:00Z'));
  const tomorrow = await poll(rows, today, { token });
  assert.deepEqual([tomorrow.statusCode, tomorrow.json().data[0].coverage_expires], [200, '29 days']);
});

test('the ETag changes while the rate falls without finished rows', async () => {
  const { id, number } = await createTicket();
  await api.context.db.query(
    `UPDATE tickets SET done = 1, started_at = now() - interval '2 seconds' WHERE id = $1`,
    [id],
  );
  await api.context.db.query(
    `INSERT INTO ticket_minutes (ticket_id, minute, finished) VALUES ($1, date_trunc('minute', now()), 1000)`,
    [id],
  );
  for (const path of [`/tickets/progress?ticket_number=${number}`, '/tickets/all-progress']) {
    const first = await poll(path);
    assert.match(first.body, /"rate_per_minute":\d/);
    await waitFor('another rate', async () => (await poll(path)).body !== first.body);
    assert.equal((await poll(path, String(first.headers.etag))).statusCode, 200, path);
  }
});

test('the ETag does not depend on the time of the response', async () => {
  const path = '/tickets/activity?since=2026-01-01T00:00:00.000Z';
  const first = await poll(path);
  const later = await waitFor('a later answer', async () => {
    const answer = await poll(path);
    return answer.json().as_of !== first.json().as_of && answer;
  });
  assert.equal(later.headers.etag, first.headers.etag);
});
