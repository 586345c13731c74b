import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { statements } from '#server/db/statement.ts';
import { createTestDatabase, type TestDatabase } from './support/database/database.ts';

// docs/scaling.md, "Distribution by company", says what this is for.
const root = new URL('../', import.meta.url);
let database: TestDatabase;
let client: pg.Client;
before(async () => {
  for (const file of globSync('src/**/*.queries.ts', { cwd: root })) await import(new URL(file, root).href);
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
after(async () => {
  await client.end();
  await database.close();
});

/** The distributed tables, and their columns that name a company, or a ticket or device whose company is known. */
const distributed: Record<string, string[]> = {
  tickets: ['company_code', 'id', 'ticket_number'],
  serials: ['ticket_id'],
  duplicates: ['ticket_id'],
  ticket_minutes: ['ticket_id'],
  finished_rows: ['ticket_id'],
  originals: ['ticket_id'],
  original_chunks: ['ticket_id'],
  row_deletions: ['ticket_id'],
  unregistered_results: ['company_code', 'ticket_id'],
  coverage_cache: ['company_code'],
  devices: ['company_code', 'id'],
  device_answers: ['device_id', 'ticket_number'],
  device_fields: ['company_code'],
  device_field_changes: ['company_code'],
  imported_fields: ['company_code', 'ticket_id'],
  watch_notices: ['device_id'],
};

type Plan = { [name: string]: unknown; Plans?: Plan[] };
type Scan = { table: string; alias: string };

/** Returns the scans of distributed tables, and the conditions of a plan. */
function readPlan(plan: Plan): { scans: Scan[]; conditions: string[] } {
  const { 'Relation Name': table, Alias: alias, 'Node Type': type, Plans: plans = [] } = plan;
  // A changed table is scanned below its change. An inserted row has its company.
  const isScan = type !== 'ModifyTable' && typeof table === 'string' && table in distributed;
  const own = isScan ? [{ table, alias: String(alias) }] : [];
  const conditions = Object.keys(plan).filter((name) => /(Cond|Filter)$/.test(name));
  const below = plans.map(readPlan);
  return {
    scans: [...own, ...below.flatMap(({ scans }) => scans)],
    conditions: [...conditions.map((name) => String(plan[name])), ...below.flatMap((one) => one.conditions)],
  };
}

/**
 * Returns the tables that a statement reads for all companies: no condition compares their key with a value or with
 * another table whose rows are of one company.
 */
async function findUnkeyed(text: string): Promise<string[]> {
  const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${text}`);
  const { scans, conditions } = readPlan(rows[0]['QUERY PLAN'][0].Plan);
  const bare = (side = '') => side.replaceAll(/[()]|::.*/g, '');
  const sides = conditions
    .flatMap((condition) => [...condition.matchAll(/(\S+) = (?:ANY )?(\S+)/g)])
    .flatMap(([, left, right]) => [
      { key: bare(left), other: bare(right) },
      { key: bare(right), other: bare(left) },
    ]);
  let open = scans;
  for (;;) {
    const isOpen = (column: string) => open.some(({ alias }) => column.startsWith(`${alias}.`));
    const left = open.filter(({ table, alias }) => {
      const keys = distributed[table]?.map((column) => `${alias}.${column}`) ?? [];
      return !sides.some(({ key, other }) => keys.includes(key) && !isOpen(other));
    });
    if (left.length === open.length) return [...new Set(left.map(({ table }) => table))];
    open = left;
  }
}

/** The statements that concern all companies, by their beginning, and the reason. */
const exceptions: Record<string, string[]> = {
  'a look whether there is anything at all': [
    'SELECT EXISTS (SELECT FROM devices) AS found',
    'SELECT EXISTS (SELECT FROM tickets) AS found',
  ],
  'a sweep of maintenance: the next pieces of old data or of left work, of whichever company': [
    'SELECT ticket_id FROM row_deletions',
    'DELETE FROM coverage_cache WHERE ctid = ANY(ARRAY( SELECT ctid FROM coverage_cache WHERE fetched_at <',
    'SELECT ticket_id FROM originals WHERE kept_at <',
    'WITH gone AS (DELETE FROM devices WHERE id = ANY (ARRAY(SELECT id FROM devices WHERE last_checked <',
    'WITH slice AS MATERIALIZED ( SELECT company_code, serial FROM device_fields WHERE (company_code, serial) >',
  ],
  'the newest device, after which a deletion of devices stops': [
    'SELECT coalesce(max(id), 0) AS id FROM devices',
  ],
  'a queue of noted results, worked off in its order; each note has its company': [
    'SELECT id FROM unregistered_results ORDER BY id LIMIT $1',
    'WITH note AS (DELETE FROM unregistered_results WHERE id = $1 RETURNING *), results AS',
    'WITH note AS (DELETE FROM unregistered_results WHERE id = $1 RETURNING *) INSERT',
    'DELETE FROM imported_fields WHERE id = $1 RETURNING',
    'WITH block AS (DELETE FROM imported_fields WHERE id = $1 RETURNING *) INSERT',
  ],
  'why tickets wait: sources are asked for all companies together': [
    'WITH RECURSIVE configured AS ( SELECT * FROM jsonb_to_recordset($1) AS s(name text, label text, cause text)), lines AS',
  ],
  'only the columns of COPY': [
    'SELECT ticket_id, position, sheet_row, serial, kind, original, state, reason, details FROM serials',
    'SELECT ticket_id, sheet_row, serial, first_row FROM duplicates',
    'SELECT company_code, ticket_id, keys, rows FROM imported_fields',
  ],
  'figures of all companies, for superadmins': [
    "WITH days AS (SELECT generate_series($1::date - 29, $1::date, interval '1 day')::date AS day)",
    "SELECT to_char($1::date, 'YYYY-MM') AS month, count(*)::int AS tickets",
    "SELECT ticket_number, company_code, file_name, kind, total, created_at, value::float8, count(*) OVER ()::int AS tickets FROM (SELECT t.ticket_number, t.company_code, t.file_name, coalesce(t.import_kind, 'order') AS kind, t.total, t.created_at, m.finished",
    "SELECT ticket_number, company_code, file_name, kind, total, created_at, value::float8, count(*) OVER ()::int AS tickets FROM (SELECT t.ticket_number, t.company_code, t.file_name, coalesce(t.import_kind, 'order') AS kind, t.total, t.created_at, (t.done",
  ],
};

const squeeze = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

test('every statement on a distributed table names a company, a ticket or a device, or is listed with its reason', async () => {
  const listed = Object.values(exceptions).flat();
  const used = new Set<string>();
  const found: string[] = [];
  for (const { text } of statements) {
    // EXPLAIN takes no commands such as SET; none of them names a row.
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text)) continue;
    const tables = await findUnkeyed(text);
    if (tables.length === 0) continue;
    const entry = listed.find((beginning) => squeeze(text).startsWith(beginning));
    if (entry === undefined) found.push(`${tables}: ${squeeze(text)}`);
    else used.add(entry);
  }
  assert.deepEqual(found, []);
  assert.deepEqual(
    listed.filter((beginning) => !used.has(beginning)),
    [],
    'each entry is needed',
  );
});

test('a statement without the key of a company is found', async () => {
  assert.deepEqual(await findUnkeyed('SELECT serial FROM serials WHERE state = $1'), ['serials']);
  assert.deepEqual(await findUnkeyed('SELECT serial FROM serials WHERE ticket_id = $1'), []);
  const joined = 'SELECT s.serial FROM serials AS s JOIN tickets AS t ON t.id = s.ticket_id';
  assert.deepEqual((await findUnkeyed(joined)).sort(), ['serials', 'tickets']);
  assert.deepEqual(await findUnkeyed(`${joined} WHERE t.company_code = $1`), []);
});
