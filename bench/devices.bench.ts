import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { createUser } from '../tests/support/api/factories.ts';
import { waitFor } from '../tests/support/wait.ts';
import { type Bench, quantile, type Row } from './support/bench.ts';
import { startDirectus } from './support/directus.ts';
import { sendCall, timeMs } from './support/measure.ts';

const sizes = (process.env.BENCH_DEVICES ?? '10000,1000000').split(',').map(Number);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const companies = 200;
/** Where Directus is installed, for a comparison. */
const directusFolder = process.env.BENCH_DIRECTUS;
const insertedAtOnce = 200_000;

/** Measures searches and first filtered pages of the register, for a user of one company and for a superadmin. */
export const bench: Bench = {
  title: `Searches and first filtered pages of the register (${sizes.join(' and ')} devices of ${companies} companies)`,
  run,
};

const searches = ['350000000123456', '3500000001', '123456', '23456'];
/** Filters of a page, and the same ones as Directus takes them. */
const filters: [filter: string, directus: string][] = [
  ['', ''],
  ['activation=activated', 'filter[activation_status][_eq]=activated'],
  ['type=iPhone%208', 'filter[type][_eq]=iPhone%208'],
  ['warranty=Warranty%203', 'filter[warranty_title][_eq]=Warranty%203'],
  ['ends_within=30', 'filter[coverage_end_date][_between]=2026-11-25,2026-12-25'],
  ['expired=true', 'filter[coverage_end_date][_lt]=2026-11-25'],
  ['never_covered=true', 'filter[coverage_end_date][_null]=true'],
  ['checked_before=2026-06-01', 'filter[last_checked][_lt]=2026-06-01'],
  ['changed_since=2026-11-01', 'filter[changed_at][_gte]=2026-11-01'],
  ['source=sandbox', 'filter[source][_eq]=sandbox'],
  ['sort=coverage_end_date', 'sort=coverage_end_date'],
  ['sort=last_checked&order=desc', 'sort=-last_checked'],
  ['sort=type', 'sort=type'],
  [
    'activation=activated&expired=false',
    'filter[activation_status][_eq]=activated&filter[coverage_end_date][_gte]=2026-11-25',
  ],
  ...searches.map((q): [string, string] => [`q=${q}`, `filter[serial][_contains]=${q}`]),
];
const pages = filters.map(([filter]) => `/devices?limit=50&counts=1&${filter}`);
const finds = searches.map((q) => `/search?q=${q}`);

async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const devices of sizes) {
    const api = await createTestApi();
    try {
      rows.push(...(await measure(api, devices)));
    } finally {
      await api.close();
    }
  }
  return rows;
}

async function measure(api: TestApi, devices: number): Promise<Row[]> {
  const companyCode = await createDevices(api, devices);
  const { token } = await createUser(api, { companyCode });
  const admin = await createUser(api, { superadmin: true });
  const rows: Row[] = [];
  const bare = await timeAll(askAs(api, token), ['/devices?limit=1&q=NOTHINGATALL']);
  for (const [what, calls] of [
    ['search', finds],
    ['filtered page', pages],
  ] as const) {
    for (const [caller, own] of [
      ['user', token],
      ['superadmin', admin.token],
    ] as const) {
      const times = await timeAll(askAs(api, own), calls);
      const line = `${what}, ${caller}, ${devices} devices`;
      const beside = 'a page without devices';
      const row = (what: string, share: number) => ({
        what: `${line}: ${what}`,
        unit: 'ms',
        measured: quantile(times, share),
        beside,
        reference: quantile(bare, share),
      });
      rows.push(row('median', 0.5), { ...row('p95', 0.95), ...(caller === 'user' && { goal: 100 }) });
    }
  }
  rows.push(...(await compareWithDirectus(api, companyCode, devices)));
  return rows;
}

/** Measures pages of the company's devices beside those of Directus on the same table. */
async function compareWithDirectus(api: TestApi, companyCode: string, devices: number): Promise<Row[]> {
  if (!directusFolder) return [];
  const { token } = await createUser(api, { companyCode });
  const ours = await timeAll(askAs(api, token), pages);
  const directus = await startDirectus(directusFolder, api.context.databaseUrl);
  try {
    const common = `limit=50&meta=filter_count&filter[company_code][_eq]=${companyCode}`;
    const theirs = await timeAll(
      (query) => directus.listDevices(query),
      filters.map(([, query]) => `${common}&${query.includes('sort=') ? '' : 'sort=serial&'}${query}`),
    );
    return [0.5, 0.95].map((share) => ({
      what: `filtered page, user, ${devices} devices: ${share === 0.5 ? 'median' : 'p95'}`,
      unit: 'ms',
      measured: quantile(ours, share),
      beside: 'Directus',
      reference: quantile(theirs, share),
    }));
  } finally {
    await directus.stop();
  }
}

function askAs(api: TestApi, token: string) {
  return (path: string) => sendCall(api, `GET /api${path}`, { token });
}

/** Asks each question several times, after one round that is not measured. @returns the times in milliseconds */
async function timeAll(
  ask: (question: string) => Promise<unknown>,
  questions: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const question of questions) {
      const ms = await timeMs(() => ask(question));
      if (process.env.BENCH_VERBOSE && round === rounds) console.error(`${ms.toFixed(1)} ms ${question}`);
      if (round > 0) times.push(ms);
    }
  }
  return times;
}

/** Creates companies with devices. @returns the code of one of them */
async function createDevices({ context: { db } }: TestApi, devices: number): Promise<string> {
  // Results are registered block by block, so a company's devices are stored side by side, too.
  const block = Math.min(200, Math.ceil(devices / companies));
  await db.query(
    `INSERT INTO clients (company_name, company_code) SELECT 'Company ' || n, 'CMP' || n FROM generate_series(1, $1::integer) n`,
    [companies],
  );
  // In parts: a statement times out after a minute.
  for (let first = 1; first <= devices; first += insertedAtOnce) {
    await db.query(
      `INSERT INTO devices (company_code, serial, type, activation_status, purchase_date, warranty_title, coverage_start_date,
         coverage_end_date, source, first_seen, last_checked, changed_at, tickets)
       SELECT 'CMP' || 1 + n / $4::integer % $1::integer, (350000000000000 + n)::text, 'iPhone ' || 4 + n / 7 % 12,
         (ARRAY['activated', 'activated', 'unactivated', NULL])[1 + n / 3 % 4]::activation, '2025-03-01',
         'Warranty ' || n / 11 % 5, '2025-03-01', CASE WHEN n % 13 > 0 THEN '2025-01-01'::date + n / 17 % 1460 END, 'sandbox',
         '2026-01-01', '2026-01-01'::timestamptz + make_interval(mins => n / 19 % 400000),
         CASE WHEN n % 23 = 0 THEN '2026-01-01'::timestamptz + make_interval(mins => n / 19 % 400000) END, ARRAY[1 + n % 50]
       FROM generate_series($2::integer, $3::integer) n`,
      [companies, first, Math.min(devices, first + insertedAtOnce - 1), block],
    );
  }
  // Counts are read from an index alone when all pages are visible, which other snapshots delay.
  const client = await db.connect();
  try {
    await client.query('SET statement_timeout = 0');
    const visible = async () => {
      await client.query('VACUUM (ANALYZE) devices');
      const { rows } = await client.query<{ all: boolean }>(
        `SELECT relallvisible = relpages AS all FROM pg_class WHERE relname = 'devices'`,
      );
      return rows[0]?.all;
    };
    await waitFor('all pages to be visible', visible, 600_000);
  } finally {
    client.release(true);
  }
  return 'CMP7';
}
