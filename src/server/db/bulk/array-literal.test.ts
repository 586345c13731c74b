import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { toArrayLiteral } from './array-literal.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('the database reads what was meant', async () => {
  const texts = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed());
  const awkward = fc.constantFrom('', 'NULL', 'null', '"', '\\', '{}', ',', ' x ', '\\"', "'", '\n');
  const lists = fc.array(fc.oneof(texts, awkward, fc.constant(null)), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const { rows } = await database.pool.query('SELECT $1::text[] AS list', [toArrayLiteral(list)]);
      assert.deepEqual(rows[0]?.list, list);
    }),
  );
});

test('writes numbers and truths', async () => {
  const { rows } = await database.pool.query('SELECT $1::float8[] AS numbers, $2::boolean[] AS truths', [
    toArrayLiteral([1, -2, Date.UTC(2026, 10, 21), null]),
    toArrayLiteral([true, false, null]),
  ]);
  assert.deepEqual(rows[0], {
    numbers: [1, -2, Date.UTC(2026, 10, 21), null],
    truths: [true, false, null],
  });
});
