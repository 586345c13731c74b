import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findTicketByNumber } from '#features/tickets/server/tickets.queries.ts';
import type { Db } from '#server/db.ts';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/factories.ts';
import { waitFor } from '#tests/support/wait.ts';
import { countRows } from './count-rows.ts';
import { KeptIndexes } from './kept-indexes.ts';

let api: TestApi;
let user: TestUser;
let db: Db;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
  db = api.context.db;
});
after(() => api.close());

async function makeTicket() {
  const { id, number } = await createTicketWithRows(api, {
    ...{ companyCode: user.companyCode, createdBy: user.id, status: 'Processing' },
    rows: [{ state: 'done' }, {}, {}],
  });
  return { id, read: async () => (await findTicketByNumber(db, Number(number), null)) ?? assert.fail() };
}

const finish = async (ticketId: number, position: number, status = 'Processing') => {
  await db.query("UPDATE serials SET state = 'done' WHERE ticket_id = $1 AND position = $2", [
    ticketId,
    position,
  ]);
  await db.query('UPDATE tickets SET done = done + 1, status = $2 WHERE id = $1', [ticketId, status]);
};

/** The database, counting how often an index is loaded; each load waits for `until`. */
function watch() {
  const watched = { loads: 0, until: Promise.resolve(), fails: false, db };
  const query = async (...values: unknown[]) => {
    const asked = values[0] as { name?: string };
    if (asked.name === 'list-row-groups') {
      watched.loads += 1;
      await watched.until;
      if (watched.fails) throw new Error('no database');
    }
    return Reflect.apply(db.query, db, values);
  };
  watched.db = new Proxy(db, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) });
  return watched;
}

const doneOf = async (index: ReturnType<KeptIndexes['get']>) =>
  countRows(await index, '2026-11-21').counts.all - countRows(await index, '2026-11-21').counts.pending;

test('a large ticket that runs is answered as it was, and loaded again beside that, once at a time', async () => {
  const ticket = await makeTicket();
  const watched = watch();
  const indexes = new KeptIndexes(api.context.log, { exactRows: 2, shareOfTime: Number.POSITIVE_INFINITY });
  const get = async () => doneOf(indexes.get(watched.db, await ticket.read()));
  assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
  const loaded = watched.loads;
  await finish(ticket.id, 2);
  const held = Promise.withResolvers<void>();
  watched.until = held.promise;
  assert.deepEqual(await Promise.all([get(), get(), get()]), [1, 1, 1]);
  await waitFor('the load', async () => watched.loads > loaded);
  assert.equal(watched.loads, loaded + 1);
  held.resolve();
  await waitFor('the fresh index', async () => (await get()) === 2);
  assert.equal(watched.loads, loaded + 1);
  // Nobody is told of an ended ticket as it was.
  await finish(ticket.id, 3, 'Completed');
  assert.equal(await get(), 3);
});

test('a large ticket that runs is loaded for a small part of the time only', async () => {
  const ticket = await makeTicket();
  const watched = watch();
  const indexes = new KeptIndexes(api.context.log, { exactRows: 2, shareOfTime: 1e-9 });
  const get = async () => doneOf(indexes.get(watched.db, await ticket.read()));
  await get();
  await finish(ticket.id, 2);
  for (let ask = 0; ask < 5; ask++) {
    await db.query('UPDATE tickets SET waiting_source = $2 WHERE id = $1', [ticket.id, String(ask)]);
    assert.equal(await get(), 1);
  }
  assert.equal(watched.loads, 1);
});

test('a large ticket whose index could not be loaded anew is answered as it was, and loaded again later', async () => {
  const ticket = await makeTicket();
  const watched = watch();
  const warnings: string[] = [];
  const log = { warn: (_: object, text: string) => warnings.push(text) } as unknown as typeof api.context.log;
  const indexes = new KeptIndexes(log, { exactRows: 2, shareOfTime: Number.POSITIVE_INFINITY });
  const get = async () => doneOf(indexes.get(watched.db, await ticket.read()));
  await get();
  await finish(ticket.id, 2);
  watched.fails = true;
  assert.equal(await get(), 1);
  await waitFor('the failed load', async () => warnings.length === 1);
  watched.fails = false;
  await waitFor('the fresh index', async () => (await get()) === 2);
});

test('a small ticket that runs is answered as it is', async () => {
  const ticket = await makeTicket();
  const indexes = new KeptIndexes(api.context.log, { exactRows: 3 });
  const get = async () => doneOf(indexes.get(db, await ticket.read()));
  assert.equal(await get(), 1);
  await finish(ticket.id, 2);
  assert.equal(await get(), 2);
});

test('the indexes asked for last are kept, as many as there is room for; a failed load is not', async () => {
  const [first, second] = [await makeTicket(), await makeTicket()];
  const watched = watch();
  const indexes = new KeptIndexes(api.context.log, { mostRows: 5 });
  const get = async ({ read }: typeof first) => doneOf(indexes.get(watched.db, await read()));
  watched.fails = true;
  await assert.rejects(get(first), /no database/);
  watched.fails = false;
  for (const ticket of [first, first, second, second, first]) assert.equal(await get(ticket), 1);
  assert.equal(watched.loads, 4);
});
