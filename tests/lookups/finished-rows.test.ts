import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadBatch } from '#features/lookups/server/fetch/load-batch.ts';
import type { Batch, LookupRow } from '#features/lookups/server/rows/batch.ts';
import type { RowResult } from '#features/lookups/server/rows/row-result.ts';
import { writeBatches } from '#features/lookups/server/write/write-batches.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { fetchReady } from '#tests/support/lookups/jobs.ts';
import { registration } from '#tests/support/lookups/registration.ts';
import { makeResult } from '#tests/support/lookups/source-queue.ts';
import { makeSerials } from '#tests/support/lookups/tickets.ts';

let api: TestApi;
let user: TestUser;
let admin: TestUser;
before(async () => {
  api = await createTestApi();
  [user, admin] = [await createUser(api), await createUser(api, { superadmin: true })];
});
after(async () => {
  await api.close();
});

type Read = { positions: number[]; next: number | null };

/** Reads the rows of a ticket that finished after a cursor. */
async function read(ticket: string, cursor: number, more = '', { token } = user): Promise<Read> {
  const answer = await api.send(`GET /api/imei?ticket_number=${ticket}&cursor=${cursor}${more}`, { token });
  assert.equal(answer.statusCode, 200, answer.body);
  const { data, next_cursor } = answer.json<{ data: { position: number }[]; next_cursor: number | null }>();
  return { positions: data.map(({ position }) => position), next: next_cursor };
}

/** Reads a ticket that may still run to its end, with a cursor. */
async function follow(ticket: string, limit: number): Promise<number[]> {
  const all: number[] = [];
  let cursor: number | null = 0;
  while (cursor !== null) {
    const { positions, next }: Read = await read(ticket, cursor, `&limit=${limit}`);
    all.push(...positions);
    cursor = next;
  }
  return all;
}

async function importSerials(serials: string[]): Promise<string> {
  const answer = await api.send('POST /api/data/serials', { token: user.token, body: { serials } });
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json().ticket.ticket_number;
}

async function fetchBatches(count: number): Promise<{ batch: Batch; rows: LookupRow[] }[]> {
  const jobs = await fetchReady(api.context.db, count);
  return Promise.all(
    jobs.map(async (job) => {
      const batch = await loadBatch(api.context.db, job, { sources: [], hours: 0 });
      return { batch, rows: [...batch.rows.active] };
    }),
  );
}

/** Writes the results of the first rows of a batch in a transaction, as a worker does. */
function finish(batch: Batch, rows: LookupRow[], result: Partial<RowResult> = {}) {
  const results = rows.map((row) => ({ ...makeResult(row), fetchedAt: Date.now(), ...result }));
  const changes = { batch, results, lookupStates: new Map(), followUp: undefined };
  return writeBatches({ pool: api.context.db, registration, reusable: [] }, [changes]);
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);
const sorted = (positions: number[]) => [...positions].sort((a, b) => a - b);

test('readers that follow a running ticket by a cursor get each row once while several workers write', async () => {
  const ticket = await importSerials([...makeSerials('FOLLOW', 1599), 'not a serial']);
  const batches = await fetchBatches(8);
  // Each worker writes its own part of every block, so that all of them meet at the lock of the ticket.
  const work = async (worker: number) => {
    for (const { batch, rows } of batches) {
      const own = rows.filter(({ position }) => position % 4 === worker);
      for (let first = 0; first < own.length; first += 7) await finish(batch, own.slice(first, first + 7));
    }
  };
  const readers = [follow(ticket, 1000), follow(ticket, 13)];
  await Promise.all([0, 1, 2, 3].map(work));
  const [fast = [], slow] = await Promise.all(readers);
  assert.equal(fast[0], 1600, 'the invalid cell has the first place');
  assert.deepEqual(sorted(fast), range(1, 1600));
  assert.deepEqual(slow, fast);
  assert.deepEqual(await follow(ticket, 400), fast);
});

test('a row that is looked up again gets a new place, and no reading has it twice', async () => {
  const ticket = await importSerials(makeSerials('AGAIN', 6));
  const [held] = await fetchBatches(1);
  assert.ok(held);
  const { batch, rows } = held;
  const lost = { state: 'failed', reason: 'Source unavailable' } as const;
  await finish(batch, rows.slice(0, 2), lost);
  await finish(batch, rows.slice(2, 4));
  assert.deepEqual(await read(ticket, 0), { positions: [1, 2, 3, 4], next: 4 });
  assert.deepEqual(await read(ticket, 4), { positions: [], next: 4 });
  await finish(batch, rows.slice(4, 5), lost);
  await finish(batch, rows.slice(5));
  assert.deepEqual(await read(ticket, 4), { positions: [5, 6], next: null });

  const { _id } = (await api.send(`GET /api/tickets?limit=1`, { token: admin.token })).json().data[0];
  const retried = await api.send(`POST /api/tickets/${_id}/retry`, { token: admin.token });
  assert.equal(retried.statusCode, 200, retried.body);
  assert.deepEqual(await read(ticket, 0, '&limit=2'), { positions: [], next: 2 });
  assert.deepEqual(await read(ticket, 2), { positions: [3, 4, 6], next: 6 });
  const [again] = await fetchBatches(1);
  assert.ok(again);
  await finish(again.batch, again.rows.slice(1));
  await finish(again.batch, again.rows.slice(0, 1));
  assert.deepEqual(await read(ticket, 6), { positions: [2, 5, 1], next: null });
  assert.deepEqual(await follow(ticket, 4), [3, 4, 6, 2, 5, 1]);
});

test('known rows have their places at once, filters narrow what a cursor reads, and its values are checked', async () => {
  const [known = '', other = ''] = makeSerials('KNOWN', 2);
  const owned = { companyCode: user.companyCode, createdBy: user.id };
  const first = await createTicketWithRows(api, {
    ...owned,
    status: 'Completed',
    rows: [
      { serial: known, state: 'done', activation: 'activated' },
      { state: 'failed', reason: 'Not found' },
    ],
  });
  await api.context.db.query('UPDATE serials SET fetched_at = now() WHERE ticket_id = $1', [first.id]);
  assert.deepEqual(await read(first.number, 0, '&state=failed'), { positions: [2], next: null });
  assert.deepEqual(await read(first.number, 0, '&activation=activated&limit=1'), { positions: [1], next: 1 });

  const body = { serials: [other, known, 'not a serial'], fresh_days: 1000 };
  const imported = await api.send('POST /api/data/serials', { token: user.token, body });
  const { ticket_number: number } = imported.json().ticket;
  assert.deepEqual(await read(number, 0), { positions: [3, 2], next: 2 });

  const order = await createTicketWithRows(api, { ...owned, rows: [] });
  assert.deepEqual(await read(order.number, 0), { positions: [], next: 0 });
  const nobody = await createUser(api);
  const send = (query: string, { token } = user) => api.send(`GET /api/imei?${query}`, { token });
  assert.deepEqual((await send('cursor=0', nobody)).json().next_cursor, null);
  assert.equal((await send(`ticket_number=${number}&cursor=0`, nobody)).statusCode, 404);
  for (const cursor of ['-1', 'x', '1.5', '1e20'])
    assert.equal((await send(`cursor=${cursor}`)).statusCode, 400, cursor);
  assert.equal('next_cursor' in (await send(`ticket_number=${number}&cursor=`)).json(), false);
});

test('deleted results have no places', async () => {
  const rows = [{ state: 'done' as const }, { state: 'done' as const }];
  const owned = { companyCode: user.companyCode, createdBy: user.id };
  const { id, number } = await createTicketWithRows(api, { ...owned, rows, status: 'Completed' });
  const count = async () =>
    (await api.context.db.query('SELECT FROM finished_rows WHERE ticket_id = $1', [id])).rowCount;
  assert.deepEqual([await follow(number, 10), await count()], [[1, 2], 1]);
  await api.send(`DELETE /api/imei/${number}`, { token: user.token });
  assert.deepEqual(await read(number, 0), { positions: [], next: null });
  assert.equal(await count(), 0);
});
