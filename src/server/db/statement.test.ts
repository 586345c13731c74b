import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  array,
  bool,
  bytea,
  date,
  enumeration,
  float8,
  int2,
  int4,
  int8,
  jsonb,
  listColumns,
  nullable,
  numeric,
  text,
  timestamptz,
  uuid,
} from './column-types.ts';
import { inTransaction } from './db.ts';
import { statement } from './statement.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const count = statement({
  text: 'SELECT n FROM generate_series(1, :most::integer) AS n ORDER BY n',
  params: { most: int4 },
  row: { n: int4 },
});

test('a statement returns all rows, the first row, the only row, or the number of rows', async () => {
  const { db } = database;
  assert.deepEqual(await count.all(db, { most: 2 }), [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(await count.first(db, { most: 2 }), { n: 1 });
  assert.equal(await count.first(db, { most: 0 }), undefined);
  assert.deepEqual(await count.one(db, { most: 1 }), { n: 1 });
  await assert.rejects(count.one(db, { most: 0 }), /returned none/);
  assert.equal(await count.run(db, { most: 3 }), 3);
});

test('values are found by name, a value that is undefined is NULL, and JSON is written', async () => {
  const say = statement({
    text: 'SELECT :name::text AS name, :note::text AS note, :facts::jsonb AS facts, :none::jsonb AS none, :name::text AS again',
    params: {
      facts: jsonb<{ a: number[] }>(),
      note: nullable(text),
      name: text,
      none: nullable(jsonb<object>()),
    },
    row: {
      name: text,
      note: nullable(text),
      facts: jsonb<{ a: number[] }>(),
      none: nullable(jsonb<object>()),
      again: text,
    },
  });
  const values = { name: 'n', note: undefined, facts: { a: [1] }, none: null };
  const answer = { name: 'n', note: null, facts: { a: [1] }, none: null, again: 'n' };
  assert.deepEqual(await say.one(database.db, values), answer);
  assert.deepEqual(say.bind(values), ['n', undefined, '{"a":[1]}', null]);
});

test('the values of a call are those that the statement declares', async () => {
  const { db } = database;
  const pair = statement({
    text: 'SELECT FROM uploads WHERE user_id = :user AND key = :key',
    params: { user: int8, key: text },
  });
  assert.equal(await pair.run(db, { user: 1, key: 'a' }), 0);
  // @ts-expect-error one is left out
  assert.equal(await pair.run(db, { user: 1 }), 0);
  // @ts-expect-error they are swapped
  await assert.rejects(pair.run(db, { user: 'a', key: 1 }));
  // @ts-expect-error nothing is given
  assert.equal(await pair.run(db), 0);
});

test('a named statement is prepared once per connection, and no two statements share a name', async () => {
  const named = statement({
    name: 'double',
    text: 'SELECT :half::integer * 2 AS double',
    params: { half: int4 },
    row: { double: int4 },
  });
  const unnamed = statement({
    text: 'SELECT :third::integer * 3 AS triple',
    params: { third: int4 },
    row: { triple: int4 },
  });
  await inTransaction(database.pool, async (tx) => {
    assert.deepEqual(
      [await named.one(tx, { half: 1 }), await named.one(tx, { half: 2 })],
      [{ double: 2 }, { double: 4 }],
    );
    assert.deepEqual(await unnamed.one(tx, { third: 1 }), { triple: 3 });
    const { rows } = await tx.query('SELECT name FROM pg_prepared_statements');
    assert.deepEqual(rows, [{ name: 'double' }]);
  });
  assert.throws(() => statement({ name: 'double', text: 'SELECT 2' }), /two statements have the name double/);
});

test('values of every column type have their TypeScript type', async () => {
  const row = {
    bool,
    int2,
    int4,
    int8,
    float8,
    numeric,
    text,
    uuid,
    bytea,
    date,
    timestamptz,
    int4Array: array(int4),
    textArray: array(text),
    jsonb: jsonb<{ a: number }>(),
    status: enumeration('ticket_status', ['Pending', 'Processing', 'Completed', 'Cancelled']),
  };
  const one = statement({
    text: `SELECT true AS bool, 1::int2 AS int2, 2::int4 AS int4, 3::int8 AS int8, 0.5::float8 AS float8,
      1.10::numeric AS numeric, 'a' AS text, '00000000-0000-0000-0000-000000000001'::uuid AS uuid,
      '\\x01'::bytea AS bytea, '2026-11-22'::date AS date, '2026-11-22T00:00:00Z'::timestamptz AS timestamptz,
      '{1,2}'::int4[] AS "int4Array", '{a,b}'::text[] AS "textArray", '{"a": 1}'::jsonb AS jsonb,
      'Pending'::ticket_status AS status`,
    row,
  });
  assert.deepEqual(await one.one(database.db), {
    bool: true,
    int2: 1,
    int4: 2,
    int8: 3,
    float8: 0.5,
    numeric: '1.10',
    text: 'a',
    uuid: '00000000-0000-0000-0000-000000000001',
    bytea: Buffer.from([1]),
    date: '2026-11-22',
    timestamptz: new Date('2026-11-22T00:00:00Z'),
    int4Array: [1, 2],
    textArray: ['a', 'b'],
    jsonb: { a: 1 },
    status: 'Pending',
  });
});

test('the column list of a statement can have a table alias', () => {
  assert.equal(listColumns({ id: int8, name: text }), 'id, name');
  assert.equal(listColumns({ id: int8, name: text }, 't'), 't.id, t.name');
});
