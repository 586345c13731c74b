import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './support/database/database.ts';
import { describeSchema } from './support/database/describe-schema.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const readSchema = () => readFile(new URL('../schema.sql', import.meta.url), 'utf8');

test('schema.sql is the schema that the migrations make (npm run schema)', async () => {
  assert.equal(await readSchema(), await describeSchema(database.pool));
});

test('schema.sql makes the whole schema', async () => {
  const empty = await createEmptyDatabase();
  try {
    const schema = await readSchema();
    await empty.pool.query(schema);
    assert.equal(await describeSchema(empty.pool), schema);
  } finally {
    await empty.close();
  }
});
