import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hashPassword } from '#features/accounts/server/passwords/passwords.ts';
import { openDb } from '#server/db/connection/open-db.ts';
import {
  type Migration,
  MigrationError,
  migrateDatabase,
  readMigrations,
} from '#server/db/migrations/migrate.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers } from '#tests/support/lookups/worker-processes.ts';
import { waitFor } from '#tests/support/wait.ts';

// Upgrades the data of the first release by each migration.
const firstRelease = 3; // its newest migration
const password = 'a long enough one';
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let migrations: Migration[];
before(async () => {
  migrations = await readMigrations();
  database = await createEmptyDatabase();
  await migrateDatabase(
    database.url,
    migrations.filter(({ number }) => number <= firstRelease),
  );
  await fill(await hashPassword(password));
});
after(() => database.close());

/** Stores data as the first release did: an ended ticket, a running one with its job, and an order. */
async function fill(hash: string): Promise<void> {
  const { pool } = database;
  await pool.query(
    `INSERT INTO counters VALUES ('ticket', 3), ('client:ACM', 1);
     INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001');
     INSERT INTO users (email, name, password_hash, superadmin, new_user, company_code)
     VALUES ('Boss@example.test', 'Bo Boss', '${hash}', true, false, NULL),
            ('ann@example.test', 'Ann', '${hash}', false, false, 'ACM001');
     INSERT INTO tickets (ticket_number, company_code, created_by, status, data_count, total, done, failed, activated, unactivated,
       invalid_count, duplicate_count, price, current_dollar_price, discount, file_name, imported_at, started_at, finished_at)
     VALUES (1, 'ACM001', 2, 'Completed', 5, 5, 3, 2, 2, 1, 1, 1, 0.05, 16000, 10, 'phones.xlsx', now(), now(), now()),
            (2, 'ACM001', 2, 'Processing', 4, 4, 1, 0, 0, 1, 0, 0, 0.05, 16000, 0, 'more.xlsx', now(), now(), NULL),
            (3, 'ACM001', 1, 'Pending', 50, 0, 0, 0, 0, 0, 0, 0, 0.05, 16000, 0, NULL, NULL, NULL, NULL);
     INSERT INTO serials (ticket_id, position, sheet_row, serial, kind, state, reason, type, activation_status, warranty_title,
       coverage_end_date, fetched_at, source, attempts, egress, cached)
     SELECT ticket, position, position + 1, serial, kind::serial_kind, state::serial_state, reason, type, activation::activation,
            'Limited Warranty', day::date, now(), 'sandbox', 1, 'direct', false
     FROM (VALUES
       (1, 1, '353901102345677', 'imei', 'done', NULL, 'iPhone 15', 'activated', '2031-05-01'),
       (1, 2, '353901102345685', 'imei', 'done', NULL, 'iPhone 15', 'activated', '2020-05-01'),
       (1, 3, 'C10000001', 'serial', 'done', NULL, 'iPad', 'unactivated', NULL),
       (1, 4, 'C10000002', 'serial', 'failed', 'Not found', NULL, NULL, NULL),
       (1, 5, 'bad1', NULL, 'failed', 'Invalid serial number', NULL, NULL, NULL),
       (2, 1, 'C10000003', 'serial', 'done', NULL, 'iPad', 'unactivated', NULL)
     ) AS v(ticket, position, serial, kind, state, reason, type, activation, day);
     INSERT INTO serials (ticket_id, position, sheet_row, serial, kind)
     SELECT 2, n, n + 1, 'C2000000' || n, 'serial' FROM generate_series(2, 4) AS n;
     INSERT INTO duplicates VALUES (1, 7, 'C10000001', 4);
     INSERT INTO proxy_sets (proxy_set, expires_at) VALUES ('set-20261121-01', now() + interval '9 days');
     INSERT INTO proxies VALUES (1, 1, 'http://203.0.113.9:8080');
     INSERT INTO pgboss.job (name, data, group_id, policy, retry_limit, heartbeat_seconds)
     VALUES ('lookups', '{ "ticketId": 2, "lo": 0, "hi": 199 }', '2', 'standard', 1000000000, 10)`,
  );
}

const hasTable = async (name: string) =>
  (await database.pool.query('SELECT to_regclass($1) IS NOT NULL AS is_there', [name])).rows[0]
    ?.is_there as boolean;

/** Returns the rows of each table of the first release that no migration may lose, and the newest migration. */
async function readStored() {
  const tables = [
    'clients',
    'users',
    'tickets',
    'serials',
    'duplicates',
    'proxy_sets',
    'proxies',
    (await hasTable('lookup_jobs')) ? 'lookup_jobs' : 'pgboss.job',
  ];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`);
  const { rows } = await database.pool.query(
    `SELECT ARRAY[${counts.join()}]::integer[] AS counts, (SELECT max(number) FROM schema_migrations) AS newest,
       (SELECT count(*) FROM tickets t WHERE done + failed <>
         (SELECT count(*) FROM serials s WHERE s.ticket_id = t.id AND s.state <> 'pending'))::integer AS wrong`,
  );
  return rows[0] as { counts: number[]; newest: number; wrong: number };
}

test('each migration keeps all data, and one that fails at its end leaves the database as it was', async () => {
  const stored = await readStored();
  for (const [index, migration] of migrations.entries()) {
    if (migration.number <= firstRelease) continue;
    const before = migrations.slice(0, index);
    const failing = { ...migration, sql: `${migration.sql};\nSELECT nonsense` };
    await assert.rejects(migrateDatabase(database.url, [...before, failing]), MigrationError);
    const newest = before.at(-1)?.number ?? 0;
    assert.deepEqual(await readStored(), { ...stored, newest }, migration.name);
    // The older release starts.
    assert.deepEqual(await migrateDatabase(database.url, before), []);

    assert.deepEqual(await migrateDatabase(database.url, [...before, migration]), [migration.name]);
    assert.deepEqual(await readStored(), { ...stored, newest: migration.number }, migration.name);
  }
});

test('every call answers with the data of the first release, and its pending rows are looked up', async (t) => {
  const db = openDb(database.url, createLog('test', 'silent'));
  const api = await createTestApi({}, undefined, { url: database.url, db, close: () => db.end() });
  t.after(() => api.close());
  const [boss, ann] = await Promise.all([signIn(api, 'boss@example.test'), signIn(api, 'ann@example.test')]);
  const read = async (call: string, token = ann) => {
    const answer = await api.send(`GET /api/${call}`, { token });
    assert.equal(answer.statusCode, 200, `${call}: ${answer.body}`);
    return answer.json();
  };
  const { data: rows, ticket, counts } = await read('imei?ticket_number=1&counts=1');
  assert.deepEqual(
    rows.map((row: Record<string, unknown>) => [
      row.serial_number,
      row.state,
      row.coverage_end_date,
      row.reason,
    ]),
    [
      ['353901102345677', 'done', '2031-05-01', null],
      ['353901102345685', 'done', '2020-05-01', null],
      ['C10000001', 'done', null, null],
      ['C10000002', 'failed', null, 'Not found'],
      ['bad1', 'failed', null, 'Invalid serial number'],
    ],
  );
  assert.deepEqual([ticket.done, ticket.failed, ticket.total_amount], [3, 2, 3 * 800 * 0.9]);
  assert.deepEqual([counts.all, counts.activated, counts.unactivated, counts.failed], [5, 2, 1, 2]);
  const finished = await read('imei?ticket_number=1&cursor=0');
  assert.deepEqual([finished.data, finished.next_cursor], [rows, null]);
  assert.equal((await read('data/1')).pagination.totalItems, 5);
  assert.equal((await read('data/1/import')).duplicate_count, 1);
  assert.equal((await read('tickets?limit=10', boss)).summary.total, 3);
  assert.equal((await read('users', boss)).data.length, 2);
  assert.equal((await read('proxies/sets', boss)).data[0].proxies[0], '203.0.113.9:8080');
  assert.equal((await read('status', boss)).schema, migrations.at(-1)?.name);

  const workers = await prepareWorkers(database.url, [{ name: 'sandbox', kind: 'sandbox' }]);
  t.after(() => workers.close());
  await workers.start();
  const ended = await waitUntilCompleted(database.pool, 2);
  assert.deepEqual([ended.total, ended.done + ended.failed], [4, 4]);
  assert.equal((await read('imei?ticket_number=2&state=pending')).pagination.totalItems, 0);
  assert.equal((await read('imei?ticket_number=2&cursor=0')).data.length, 4);
  await waitFor('the register', async () => (await read('devices')).data.length >= 3 + ended.done);
});

async function signIn(api: TestApi, email: string): Promise<string> {
  const answer = await api.send('POST /api/auth/login', { body: { email, password } });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().token;
}
