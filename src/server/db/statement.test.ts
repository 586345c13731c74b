import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  bool,
  bytea,
  date,
  enumeration,
  float8,
  int2,
  int4,
  int4Array,
  int8,
  jsonb,
  listColumns,
  numeric,
  text,
  textArray,
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
  text: 'SELECT n FROM generate_series(1, $1::integer) AS n ORDER BY n',
  row: { n: int4 },
});

test('a statement returns all rows, the first row, the only row, or the number of rows', async () => {
  const { db } = database;
  assert.deepEqual(await count.all(db, [2]), [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(await count.first(db, [2]), { n: 1 });
  assert.equal(await count.first(db, [0]), undefined);
  assert.deepEqual(await count.one(db, [1]), { n: 1 });
  await assert.rejects(count.one(db, [0]), /returned none/);
  assert.equal(await count.run(db, [3]), 3);
});

test('a statement is a function of its values, and one of one column returns their values', async () => {
  const { db } = database;
  const none: number[] = [];
  assert.deepEqual(await count.allWith<[most: number]>()(db, 2), [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(await count.firstWith<[most: number]>()(db, 2), { n: 1 });
  assert.deepEqual(await count.oneWith<[most: number]>()(db, 1), { n: 1 });
  assert.equal(await count.runWith<[most: number]>()(db, 3), 3);
  assert.deepEqual(await count.allValuesWith<[most: number]>()(db, 2), [1, 2]);
  assert.deepEqual(await count.allValuesWith<[most: number]>()(db, 0), none);
  assert.equal(await count.firstValueWith<[most: number]>()(db, 2), 1);
  assert.equal(await count.firstValueWith<[most: number]>()(db, 0), undefined);
  assert.equal(await count.valueWith<[most: number]>()(db, 1), 1);
});

test('a named statement is prepared once per connection, and no two statements share a name', async () => {
  const named = statement({
    name: 'double',
    text: 'SELECT $1::integer * 2 AS double',
    row: { double: int4 },
  });
  const unnamed = statement({ text: 'SELECT $1::integer * 3 AS triple', row: { triple: int4 } });
  await inTransaction(database.pool, async (tx) => {
    assert.deepEqual([await named.one(tx, [1]), await named.one(tx, [2])], [{ double: 2 }, { double: 4 }]);
    assert.deepEqual(await unnamed.one(tx, [1]), { triple: 3 });
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
    int4Array,
    textArray,
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
