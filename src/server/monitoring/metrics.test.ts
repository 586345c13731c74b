import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { openDb } from '#server/db/connection/open-db.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/api/factories.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { startRelay } from '#tests/support/database/relay.ts';

let open: TestApi;
let guarded: TestApi;

before(async () => {
  [open, guarded] = await Promise.all([
    createTestApi({ TRUST_PROXY: '127.0.0.1' }),
    createTestApi({ METRICS_TOKEN: 'the token' }),
  ]);
});
after(() => Promise.all([open.close(), guarded.close()]));

const ask = ({ app }: TestApi, remoteAddress: string, headers = {}) =>
  app.inject({ url: '/metrics', remoteAddress, headers });

test('callers on the machine read metrics of process, responses and tickets', async () => {
  const user = await createUser(open);
  await createTicketWithRows(open, { companyCode: user.companyCode, createdBy: user.id, rows: [{}] });
  await open.send('GET /api/tickets/progress?ticket_number=99', { token: user.token });
  await open.send('GET /api/nothing/here');
  const answer = await ask(open, '127.0.0.1');
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  assert.match(answer.body, /^process_resident_memory_bytes \d/m);
  assert.match(
    answer.body,
    /^http_request_duration_seconds_count\{method="GET",route="\/api\/tickets\/progress",status="404"\} 1$/m,
  );
  assert.match(answer.body, /route="\/api\/\*"/);
  assert.match(answer.body, /^coverdesk_tickets\{status="Pending"\} 1$/m);
  assert.match(answer.body, /^coverdesk_tickets\{status="Completed"\} 0$/m);
});

test('promtool finds no problem in our own metrics', async (t) => {
  const { body } = await ask(open, '127.0.0.1');
  const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: body,
    encoding: 'utf8',
  });
  if (error) return t.skip('promtool is not installed: it comes with the Debian package prometheus');
  // Without prom-client's own metrics of the process.
  const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line && !line.startsWith('nodejs_'));
  assert.deepEqual(complaints, []);
});

test('without a token, other machines and forwarded requests are refused', async () => {
  assert.equal((await ask(open, '::1')).statusCode, 200);
  assert.equal((await ask(open, '::ffff:127.0.0.1')).statusCode, 200);
  assert.equal((await ask(open, '203.0.113.5')).statusCode, 403);
  assert.equal((await ask(open, '203.0.113.5', { authorization: 'Bearer undefined' })).statusCode, 403);
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
    assert.equal((await ask(open, '127.0.0.1', { [header]: '127.0.0.1' })).statusCode, 403);
  }
});

test('a configured token is always required, also on the machine itself', async () => {
  for (const address of ['203.0.113.5', '127.0.0.1', '::1']) {
    const status = async (headers = {}) => (await ask(guarded, address, headers)).statusCode;
    assert.equal(await status({ authorization: 'Bearer the token' }), 200);
    assert.equal(await status({ authorization: 'Bearer the token', 'x-forwarded-for': '203.0.113.6' }), 200);
    assert.equal(await status({ authorization: 'Bearer other' }), 401);
    assert.equal(await status(), 401, address);
  }
});

test('metrics of the process are read while the database does not answer', async (t) => {
  const database = await createTestDatabase();
  const port = Number(new URL(database.url).port);
  const relay = await startRelay(database.url);
  const log = createLog('test', 'silent');
  const db = openDb(relay.url, log);
  const close = async () => {
    await relay.close();
    await db.end();
    await database.close();
  };
  const api = await createTestApi({}, log, { url: relay.url, db, close });
  t.after(() => api.close());
  const scrape = async (maxMs: number) => {
    const before = performance.now();
    const answer = await ask(api, '127.0.0.1');
    assert.ok(performance.now() - before < maxMs, `${performance.now() - before} ms`);
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /^http_request_duration_seconds_count/m);
    return answer.body;
  };
  await api.send('GET /api/nothing/here');
  const whole = await scrape(10_000);
  assert.match(whole, /^coverdesk_database_up 1$/m);
  relay.leadTo(undefined);
  const part = await scrape(3000);
  assert.match(part, /^coverdesk_database_up 0$/m);
  assert.doesNotMatch(part, /^coverdesk_(tickets|queue|backup|lookups|database_size)/m);
  relay.leadTo(port);
  const series = (body: string) => body.match(/^coverdesk_\S+/gm);
  assert.deepEqual(series(await scrape(10_000)), series(whole));
  relay.silence();
  assert.match(await scrape(8000), /^coverdesk_database_up 0$/m);
});

test('the database counts as up while metrics wait for locked tables', async (t) => {
  const holder = await open.context.db.connect();
  t.after(() => holder.release(true));
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE tickets, call_totals IN ACCESS EXCLUSIVE MODE');
  const { body } = await ask(open, '127.0.0.1');
  assert.match(body, /^coverdesk_database_up 1$/m);
  assert.doesNotMatch(body, /^coverdesk_(tickets|lookups_total)/m);
});
