// Polls that find nothing changed (docs/rules.md, API): 304 while, and only while, the answer would be the same.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { countStatementsAtOnce } from '#tests/support/count-statements.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/factories.ts';
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
  `/imei?ticket_number=${number}`,
  `/imei?ticket_number=${number}&limit=50&page=1`,
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

test('a poll: 304 without a body while nothing changed, and no row is read for it', async () => {
  const { number } = await createTicket();
  const { db } = api.context;
  for (const path of callsAbout(number)) {
    const tag = await tagOf(path);
    const client = await db.connect();
    await client.query('BEGIN');
    // One statement that reads a ticket only when it changed has to know its table.
    const others = path.startsWith('/tickets/progress?') ? '' : ', tickets, ticket_minutes';
    await client.query(`LOCK TABLE serials${others} IN ACCESS EXCLUSIVE MODE`);
    const again = await poll(path, tag);
    await client.query('ROLLBACK');
    client.release();
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', tag], path);
    assert.equal((await poll(path, `"else", W/${tag}`)).statusCode, 304, path);
    assert.equal((await poll(path, '"made.up.1:1:"')).statusCode, 200, path);
  }
});

test('a poll: every change of the ticket or of what its rows show is answered in full at once', async () => {
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
      /^\/imei|^\/tickets$/,
    ],
    'its terms': [
      () =>
        api.send(`PUT /api/tickets/${id}`, {
          token: admin.token,
          body: { data_count: 9, discount: 5, current_dollar_price: 15_000 },
        }),
      /progress|activity/,
    ],
    'its end': [() => api.send(`POST /api/tickets/${id}/cancel`, { token: admin.token }), /^$/],
  };
  for (const [what, [change, unseenBy]] of Object.entries(changes)) {
    const paths = callsAbout(number);
    const tags = await Promise.all(paths.map((path) => tagOf(path)));
    const before = await Promise.all(paths.map(async (path) => (await poll(path)).body));
    await change();
    for (const [i, path] of paths.entries()) {
      const answer = await poll(path, tags[i]);
      const isSeen = !unseenBy.test(path);
      assert.equal(answer.statusCode, isSeen || path.includes('activity') ? 200 : 304, `${what}: ${path}`);
      if (isSeen) assert.notEqual(answer.body, before[i], `${what}: ${path}`);
    }
  }
  const tags = await Promise.all(callsAbout(number).map((path) => tagOf(path)));
  await api.send(`DELETE /api/tickets/${id}`, { token: admin.token });
  for (const [i, path] of callsAbout(number).entries()) {
    assert.notEqual((await poll(path, tags[i])).statusCode, 304, `its deletion: ${path}`);
  }
});

test('a poll: what another transaction commits late is found, whichever was written first', async () => {
  const { db } = api.context;
  const [slow, quick] = [await createTicket(), await createTicket()];
  const finish = 'UPDATE tickets SET done = 1 WHERE id = $1';
  const client = await db.connect();
  await client.query('BEGIN');
  await client.query(finish, [slow.id]);
  await db.query(finish, [quick.id]);
  const paths = callsAbout(slow.number);
  const tags = await Promise.all(paths.map((path) => tagOf(path)));
  for (const [i, path] of paths.entries()) assert.equal((await poll(path, tags[i])).statusCode, 304, path);
  await client.query('COMMIT');
  client.release();
  for (const [i, path] of paths.entries()) {
    // The newest of them is the other one.
    if (path === '/tickets/progress') continue;
    assert.equal((await poll(path, tags[i])).statusCode, 200, path);
  }
});

test('a poll: a tag is of one caller’s scope, language and day', async (t) => {
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
  assert.equal(
    (await poll('/tickets/progress', await tagOf('/tickets/progress'), { token: stranger.token })).statusCode,
    404,
  );

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
  assert.equal((await poll(rows, today, { token })).statusCode, 304);
  api.clock.set(new Date('2026-12-01T16:59:00Z'));
  assert.equal((await poll(rows, today, { token })).statusCode, 304);
  api.clock.set(new Date('2026-12-01T17:00:00Z'));
  const tomorrow = await poll(rows, today, { token });
  assert.deepEqual([tomorrow.statusCode, tomorrow.json().data[0].coverage_expires], [200, '29 days']);
});

test('a poll: a rate that falls while nothing is finished is told as it falls', async () => {
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

test('a poll: a hundred at once take few statements, and each caller learns of the own company alone', async () => {
  const other = await createUser(api);
  const [own, foreign] = [
    await createTicket(),
    await createTicketWithRows(api, {
      companyCode: other.companyCode,
      createdBy: other.id,
      status: 'Processing',
      rows: [{}],
    }),
  ];
  const path = (number: string) => `/tickets/progress?ticket_number=${number}`;
  const tags = new Map<string, string>();
  for (const { number } of [own, foreign]) tags.set(number, await tagOf(path(number)));
  const ownTag = await tagOf(path(own.number), user.token);
  const foreignTag = await tagOf(path(foreign.number), other.token);
  const asked: [token: string, number: string, tag: string | undefined, status: number][] = [
    [user.token, own.number, undefined, 200],
    [user.token, own.number, ownTag, 304],
    // Another scope's, which says nothing but what its bytes were.
    [user.token, own.number, tags.get(own.number), 304],
    [user.token, foreign.number, undefined, 404],
    [user.token, foreign.number, foreignTag, 404],
    [other.token, foreign.number, foreignTag, 304],
    [other.token, own.number, undefined, 404],
    [admin.token, own.number, tags.get(own.number), 304],
    [admin.token, foreign.number, undefined, 200],
    [admin.token, '99999', undefined, 404],
  ];
  const { db } = api.context;
  const hundred = Array.from({ length: 10 }, () => asked).flat();
  const { result: answers, statements } = await countStatementsAtOnce(db, 'ticket_changes', () =>
    Promise.all(hundred.map(([token, number, tag]) => poll(path(number), tag, { token }))),
  );
  const told = answers.map(({ statusCode, body }) => [
    statusCode,
    statusCode === 200 ? JSON.parse(body).ticket_number : undefined,
  ]);
  assert.deepEqual(
    told,
    hundred.map(([, number, , status]) => [status, status === 200 ? number : undefined]),
  );
  // Three of them may be who the callers are.
  assert.ok(statements <= 20, `${statements} statements`);
});

test('a poll: hundreds of screens that ask at once take few statements, whatever they show and have', async () => {
  const other = await createUser(api);
  const { companyCode, id: createdBy, token } = other;
  const { number } = await createTicketWithRows(api, { companyCode, createdBy, rows: [{}] });
  const { db } = api.context;
  const asked: [path: string, tag: string | undefined][] = [];
  for (const path of callsAbout(number).filter((call) => call !== '/tickets')) {
    const tag = await tagOf(path, token);
    for (const known of [undefined, tag]) for (let n = 0; n < 20; n++) asked.push([path, known]);
  }
  const { result: answers, statements } = await countStatementsAtOnce(db, 'ticket_changes', () =>
    Promise.all(asked.map(async ([path, tag]) => ({ tag, path, answer: await poll(path, tag, { token }) }))),
  );
  for (const { path, tag, answer } of answers) {
    assert.equal(answer.statusCode, tag === undefined ? 200 : 304, path);
    if (tag === undefined) assert.ok(answer.body.includes(number), path);
  }
  assert.ok(statements <= asked.length / 4, `${statements} statements for ${asked.length} answers`);
});

test('a poll: who shares a reading is told what was so after the question came', async () => {
  const { id, number } = await createTicket();
  const path = `/imei?ticket_number=${number}`;
  const { db } = api.context;
  await tagOf(path);
  const client = await db.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE serials IN ACCESS EXCLUSIVE MODE');
  const early = [poll(path), poll(path)];
  await waitFor('a statement that waits for the rows', async () => {
    const { rows } = await db.query(
      `SELECT FROM pg_locks WHERE relation = 'serials'::regclass AND NOT granted`,
    );
    return rows.length > 0;
  });
  await client.query(`UPDATE serials SET details = 'changed' WHERE ticket_id = $1`, [id]);
  const late = [poll(path), poll(path)];
  await client.query('COMMIT');
  client.release();
  await Promise.all(early);
  for (const answer of await Promise.all(late)) {
    const { data } = answer.json<{ data: { details: string }[] }>();
    assert.deepEqual([answer.statusCode, data[0]?.details], [200, 'changed']);
  }
});
