import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';
import { deleteOldData } from './retention.service.ts';

const never = new AbortController().signal;
let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
});
after(() => api.close());

const rows = [{ state: 'done' }, { state: 'done' }, { state: 'failed' }, {}] as const;

/** Creates a ticket that ended so many days ago, or is running. */
async function createTicket(status: 'Completed' | 'Cancelled' | 'Processing', days: number) {
  const { companyCode, id: createdBy } = user;
  const ticket = await createTicketWithRows(api, { companyCode, createdBy, status, rows: [...rows] });
  await api.context.db.query(
    "UPDATE tickets SET created_at = now() - interval '90 days', finished_at = now() - make_interval(days => $2) WHERE id = $1",
    [ticket.id, status === 'Processing' ? null : days],
  );
  return ticket;
}

/** Returns how many results and uploaded rows of a ticket are visible, and its counts and price. */
async function readTicket(number: string) {
  const read = async (call: string) => (await api.send(`GET /api/${call}`, { token: user.token })).json();
  const results = await read(`imei?ticket_number=${number}`);
  const uploads = await read(`data/${number}`);
  const { done, failed, total, total_amount, status } = results.ticket;
  return {
    shown: [results.data.length, uploads.data.length],
    ticket: { done, failed, total, total_amount, status },
  };
}

const deleteOld = (config: Partial<TestApi['context']['config']>) =>
  deleteOldData({ ...api.context, config: { ...api.context.config, ...config } }, never);
const countRows = async (id: number) =>
  (await api.context.db.query('SELECT FROM serials WHERE ticket_id = $1', [id])).rowCount;

test('results and uploaded rows of tickets that ended too long ago are deleted, counts and price stay', async () => {
  const old = await createTicket('Completed', 31);
  const cancelled = await createTicket('Cancelled', 31);
  const young = await createTicket('Completed', 29);
  const running = await createTicket('Processing', 0);
  const before = await readTicket(old.number);
  assert.deepEqual(before.shown, [4, 4]);

  assert.equal(await deleteOld({}), false);
  assert.deepEqual((await readTicket(old.number)).shown, [4, 4]);
  assert.equal(await deleteOld({ RETENTION_DAYS_RESULTS: 30 }), false);
  assert.deepEqual(await readTicket(old.number), { ...before, shown: [0, 4] });
  assert.deepEqual((await readTicket(cancelled.number)).shown, [0, 4]);
  await deleteOld({ RETENTION_DAYS_UPLOADS: 30 });
  assert.deepEqual(await readTicket(old.number), { ...before, shown: [0, 0] });
  assert.deepEqual([await countRows(old.id), await countRows(cancelled.id)], [0, 0]);
  for (const { number, id } of [young, running]) {
    assert.deepEqual([(await readTicket(number)).shown, await countRows(id)], [[4, 4], 4]);
  }
  const { rows: entries } = await api.context.db.query(
    `SELECT action, actor_id, address FROM audit_log
     WHERE object_id = $1 AND object_type IN ('results', 'data') ORDER BY id`,
    [old.number],
  );
  assert.deepEqual(entries, [
    { action: 'results.delete', actor_id: null, address: null },
    { action: 'data.delete', actor_id: null, address: null },
  ]);
});

test('a process whose clock is ahead deletes nothing before its time', async (t) => {
  const young = await createTicket('Completed', 29);
  t.after(() => api.clock.set(undefined));
  api.clock.set(new Date(Date.now() + 30 * 86_400_000));
  await deleteOld({ RETENTION_DAYS_RESULTS: 30, RETENTION_DAYS_UPLOADS: 30 });
  assert.equal(await countRows(young.id), 4);
});

test('a ticket that is retried between its listing and its deletion is not deleted', async () => {
  const { id, number } = await createTicket('Completed', 31);
  const retry = "UPDATE tickets SET status = 'Processing', finished_at = NULL WHERE id = $1";
  await holdLock(api.context.db, [retry, [id]], async (letGo) => {
    const round = deleteOld({ RETENTION_DAYS_RESULTS: 30 });
    await waitForWaiting(api.context.db, 1);
    await letGo();
    await round;
  });
  assert.deepEqual((await readTicket(number)).shown, [4, 4]);
});

test('a ticket whose data cannot be deleted is put off, and stops no other', async () => {
  const { db } = api.context;
  const [refused, other] = [await createTicket('Completed', 42), await createTicket('Completed', 41)];
  for (const [column, variable] of [
    ['coverage_deleted', 'RETENTION_DAYS_RESULTS'],
    ['serial_deleted', 'RETENTION_DAYS_UPLOADS'],
  ]) {
    const isLeft = async ({ id }: { id: number }) =>
      (await db.query(`SELECT FROM tickets WHERE id = $1 AND NOT ${column}`, [id])).rowCount === 1;
    await db.query(`ALTER TABLE tickets ADD CONSTRAINT refused CHECK (NOT ${column} OR id <> ${refused.id})`);
    await deleteOld({ [variable ?? '']: 40 });
    assert.deepEqual([await isLeft(refused), await isLeft(other)], [true, false], column);
    await db.query('ALTER TABLE tickets DROP CONSTRAINT refused');
    await deleteOld({ [variable ?? '']: 40 });
    assert.equal(await isLeft(refused), true, 'not before its time');
    await db.query('UPDATE put_off_work SET next_at = now()');
    await deleteOld({ [variable ?? '']: 40 });
    assert.equal(await isLeft(refused), false);
  }
});

test('one process at a time deletes old data, in steps until nothing is left', async () => {
  const { db } = api.context;
  const { id } = await createTicket('Completed', 41);
  for (let made = 0; made < 20; made++) await createTicket('Completed', 40);
  const config = { RETENTION_DAYS_UPLOADS: 39 };
  await holdLock(db, ['SELECT FROM tickets WHERE id = $1 FOR UPDATE', [id]], async (letGo) => {
    const first = deleteOld(config);
    await waitForWaiting(db, 1);
    assert.equal(await deleteOld(config), false);
    await letGo();
    assert.equal(await first, true);
  });
  assert.equal(await deleteOld(config), false);
  const { rowCount } = await db.query(
    "SELECT FROM tickets WHERE finished_at < now() - interval '39 days' AND NOT serial_deleted",
  );
  assert.equal(rowCount, 0);
});

test('the start of the API deletes old data', async () => {
  const ticket = await createTicket('Completed', 31);
  const { databaseUrl: url, db } = api.context;
  const env = { RETENTION_DAYS_RESULTS: '30', RETENTION_DAYS_UPLOADS: '30' };
  const starting = await createTestApi(env, undefined, { url, db, close: async () => undefined });
  await starting.app.ready();
  await waitFor('the deletion', async () => (await countRows(ticket.id)) === 0);
  await starting.close();
});
