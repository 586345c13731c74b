import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createEmptyDatabase } from '#tests/support/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { Db } from './db.ts';
import { createLog } from './log.ts';
import { deadlines, openDb } from './open-db.ts';
import { readTogether } from './read-together.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: Db;
before(async () => {
  database = await createEmptyDatabase();
  db = openDb(database.url, createLog('test', 'silent'));
  await db.query('CREATE TABLE notes (name text PRIMARY KEY, value integer NOT NULL)');
  await db.query('INSERT INTO notes SELECT n::text, 1 FROM generate_series(1, 200) n');
});
after(async () => {
  await db.end();
  await database.close();
});

/** Reads notes; each statement sees what was committed when it began, and then waits until nobody holds it up. */
function startReading() {
  const statements: string[][] = [];
  const read = readTogether(
    (name: string) => name,
    async (names) => {
      statements.push(names);
      const { rows } = await db.query<{ name: string; value: number }>(
        `WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(1))
         SELECT name, value FROM held CROSS JOIN notes WHERE name = ANY($1)`,
        [names],
      );
      return names.map((name) => rows.find((row) => row.name === name)?.value);
    },
  );
  return { read, statements };
}

/** Holds up every statement of a reading until it is let go. */
async function holdUp() {
  const client = await db.connect();
  await client.query('SELECT pg_advisory_lock(1)');
  const waiting = async () =>
    (
      await db.query<{ pid: number }>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
    ).rows;
  return {
    waitingFor: (count: number) =>
      waitFor(`${count} statements that wait`, async () => {
        const found = await waiting();
        return found.length === count && found;
      }),
    async letGo() {
      await client.query('SELECT pg_advisory_unlock(1)');
      client.release();
    },
  };
}

test('read together: no answer is older than its question', async () => {
  const { read, statements } = startReading();
  const held = await holdUp();
  const set = (value: number) => db.query(`UPDATE notes SET value = $1 WHERE name = '1'`, [value]);
  const first = read('1');
  await held.waitingFor(1);
  await set(2);
  const second = read('1');
  await held.waitingFor(2);
  await set(3);
  const later = [read('1'), read('2'), read('1'), read('none')];
  await held.letGo();
  assert.deepEqual(await Promise.all([first, second, ...later]), [1, 2, 3, 1, 3, undefined]);
  assert.deepEqual(statements, [['1'], ['1'], ['1', '2', 'none']]);
  await set(1);
  assert.equal(await read('1'), 1);
});

test('read together: a hundred at once take two statements, all but the first together', async () => {
  const { read, statements } = startReading();
  const held = await holdUp();
  const names = Array.from({ length: 100 }, (_, n) => String(n + 1));
  const answers = Promise.all(names.map(read));
  await held.letGo();
  assert.deepEqual(
    await answers,
    names.map(() => 1),
  );
  assert.deepEqual(statements, [['1'], names.slice(1)]);
});

test('read together: a statement that fails fails its own questions alone, and others are read on', async () => {
  const { read, statements } = startReading();
  const held = await holdUp();
  const failing = Promise.allSettled([read('1'), read('2'), read('3')]);
  const [first, second] = await held.waitingFor(2);
  const later = read('4');
  for (const one of [first, second]) await db.query('SELECT pg_cancel_backend($1)', [one?.pid]);
  const failed = await failing;
  assert.deepEqual(
    failed.map((outcome) => outcome.status === 'rejected' && outcome.reason.code),
    ['57014', '57014', '57014'],
  );
  await held.letGo();
  assert.equal(await later, 1);
  assert.deepEqual(statements, [['1'], ['2', '3'], ['4']]);
});

test('read together: who waits for a turn as long as for a connection is refused, and asks no more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const under = Promise.withResolvers<void>();
  const asked: string[][] = [];
  const read = readTogether(
    (name: string) => name,
    async (names) => {
      asked.push(names);
      await under.promise;
      return names;
    },
  );
  const underWay = [read('a'), read('b')];
  t.mock.timers.tick(50);
  assert.deepEqual(asked, [['a'], ['b']]);
  const late = Promise.allSettled([read('c'), read('d')]);
  t.mock.timers.tick(50);
  t.mock.timers.tick(deadlines.request.connect);
  assert.deepEqual(
    (await late).map((outcome) => outcome.status === 'rejected' && outcome.reason.code),
    ['ETIMEDOUT', 'ETIMEDOUT'],
  );
  const later = read('e');
  under.resolve();
  assert.deepEqual(await Promise.all([...underWay, later]), ['a', 'b', 'e']);
  assert.deepEqual(asked, [['a'], ['b'], ['e']]);
});
