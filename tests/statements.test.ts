import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import pg from 'pg';
import {
  bool,
  type Columns,
  enumeration,
  int8,
  notNull,
  nullable,
  text,
  timestamptz,
} from '#server/db/column-types.ts';
import { statement, statements } from '#server/db/statement.ts';
import { createTestDatabase, type TestDatabase } from './support/database/database.ts';
import { describeStatement } from './support/database/describe-statement.ts';

const root = new URL('../', import.meta.url);
const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

let database: TestDatabase;
let client: pg.Client;
before(async () => {
  for (const file of files.filter((name) => name.endsWith('.queries.ts')))
    await import(new URL(file, root).href);
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
after(async () => {
  await client.end();
  await database.close();
});

/** Returns the differences between the declared columns and parameters of a statement and those that the database reports. */
async function findFaults({
  text,
  row,
  params = {},
}: {
  text: string;
  row: Columns;
  params?: Columns;
}): Promise<string[]> {
  const described = await describeStatement(client, text).catch((error: Error) => error.message);
  if (typeof described === 'string') return [described];
  // A function without a result still returns a column.
  const columns = described.columns.filter(({ type }) => type !== 'void');
  const faults = Object.keys(row)
    .filter((name) => columns.filter((column) => column.name === name).length !== 1)
    .map((name) => `${name} is not answered once`);
  for (const { name, type, nulls, labels } of columns) {
    const declared = row[name];
    if (!declared) {
      faults.push(`${name} is answered and not declared`);
      continue;
    }
    if (declared.type !== type) faults.push(`${name} is ${type}, not ${declared.type}`);
    if (String(declared.labels ?? '') !== String(labels ?? '')) faults.push(`${name} is one of ${labels}`);
    // PostgreSQL does not know whether an expression may be null.
    if (nulls === true && declared.nulls === 'none') faults.push(`${name} may be null`);
    if (nulls === false && declared.nulls !== 'none') faults.push(`${name} is never null`);
  }
  for (const [index, [name, { type, labels }]] of Object.entries(params).entries()) {
    const parameter = described.parameters[index];
    if (type !== parameter?.type) faults.push(`:${name} is ${parameter?.type}, not ${type}`);
    if (String(labels ?? '') !== String(parameter?.labels ?? ''))
      faults.push(`:${name} is one of ${parameter?.labels}`);
  }
  return faults;
}

test('every statement has its declared columns and parameters on the migrated database', async () => {
  assert.ok(statements.length > 0);
  const faults: Record<string, string[]> = {};
  for (const statement of statements) {
    const found = await findFaults(statement);
    if (found.length > 0) faults[statement.text] = found;
  }
  assert.deepEqual(faults, {});
});

test('a statement that a migration breaks is reported with its differences', async () => {
  const query = 'SELECT company_name, active, nullif(created_at, now()) AS created_at FROM clients';
  const row: Columns = { company_name: text, active: bool, created_at: nullable(timestamptz) };
  const findAfter = async (migration: string, declared = row) => {
    await client.query('BEGIN');
    await client.query(migration);
    const faults = await findFaults({ text: query, row: declared });
    await client.query('ROLLBACK');
    return faults;
  };
  assert.deepEqual(await findAfter('SELECT'), []);
  assert.deepEqual(await findAfter('ALTER TABLE clients RENAME active TO enabled'), [
    'column "active" does not exist',
  ]);
  assert.deepEqual(await findAfter('ALTER TABLE clients ALTER company_name DROP NOT NULL'), [
    'company_name may be null',
  ]);
  const excluded = { ...row, company_name: notNull(text) };
  assert.deepEqual(await findAfter('ALTER TABLE clients ALTER company_name DROP NOT NULL', excluded), []);
  assert.deepEqual(await findAfter('SELECT', excluded), ['company_name is never null']);
  assert.deepEqual(await findAfter('ALTER TABLE clients ALTER active DROP DEFAULT, ALTER active TYPE text'), [
    'active is text, not bool',
  ]);
  const { active: _, ...short } = row;
  assert.deepEqual(await findAfter('SELECT', short), ['active is answered and not declared']);
  assert.deepEqual(await findAfter('SELECT', { ...row, company_code: text }), [
    'company_code is not answered once',
  ]);
  const status = { status: enumeration('ticket_status', ['Pending', 'Processing']) };
  assert.deepEqual(await findFaults({ text: 'SELECT status FROM tickets', row: status }), [
    'status is one of Pending,Processing,Completed,Cancelled',
  ]);
});

test('a parameter in the place of another is reported with its type', async () => {
  const params = { user: int8, key: text };
  const insert = (values: string) =>
    statement({ text: `INSERT INTO uploads (user_id, key, phase) VALUES (${values}, 'receiving')`, params });
  assert.deepEqual(await findFaults(insert(':user, :key')), []);
  assert.deepEqual(await findFaults(insert(':key, :user')), [
    ':key is int8, not text',
    ':user is text, not int8',
  ]);
  const find = statement({
    text: 'SELECT id FROM tickets WHERE status = :status',
    params: { status: enumeration('ticket_status', ['Pending']) },
    row: { id: int8 },
  });
  assert.deepEqual(await findFaults(find), [':status is one of Pending,Processing,Completed,Cancelled']);
});

/** Other files that query the database, and the reason. */
const exceptions = new Map([
  ['src/server/db/statement.ts', 'runs the statements'],
  ['src/server/db/bulk/read-batches.ts', 'a cursor over a statement, in a transaction'],
  ['src/server/db/bulk/copy-into.ts', 'COPY, whose columns are declared'],
  ['src/server/backup/backup-database.ts', 'COPY of every table, by the catalogue'],
  ['src/server/backup/load-tables.ts', 'the same, and what its foreign keys and triggers need'],
  ['src/server/backup/restore-database.ts', 'what rebuilds the schema'],
  ['src/server/db/db.ts', 'BEGIN, COMMIT and ROLLBACK'],
  ['src/server/db/migrations/migrate.ts', 'what makes the schema that statements are held against'],
  ['src/server/postgres/superuser.ts', 'makes the role and the database, before there is a schema'],
  ['src/features/imports/server/reading/run-import.ts', 'BEGIN and COMMIT on a connection of its own'],
  ['src/features/sources/server/registry/registry.thread.ts', 'BEGIN and COMMIT on a connection of its own'],
  ['src/server/db/connection/listening-client.ts', 'LISTEN'],
  ['src/server/db/connection/open-pool.ts', 'statements declared elsewhere'],
]);

test('SQL is only in .queries.ts files, as declared statements', async () => {
  const query = /\.query\s*[<(]/;
  const sql = /['"`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|TRUNCATE|COPY|DECLARE)\s[^'"`]*/;
  const found: string[] = [];
  for (const file of files) {
    const source = await readFile(new URL(file, root), 'utf8');
    const isQueries = file.endsWith('.queries.ts');
    if (query.test(source) || (!isQueries && sql.test(source))) found.push(file.replaceAll('\\', '/'));
  }
  assert.deepEqual(found.sort(), [...exceptions.keys()].sort());
});
