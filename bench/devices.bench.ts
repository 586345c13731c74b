import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { createUser } from '../tests/support/api/factories.ts';
import { type Bench, median, quantile, type Row } from './support/bench.ts';
import { startDirectus } from './support/directus.ts';
import { sendCall, timeAll } from './support/measure.ts';
import { storeTickets } from './support/stored-tickets.ts';

const sizes = (process.env.BENCH_DEVICES ?? '10000,1000000').split(',').map(Number);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const companies = 200;
/** The folder where `npm install directus` was run, for a comparison. */
const directusFolder = process.env.BENCH_DIRECTUS;

/** Measures searches and first filtered pages of the register, for a user of one company and for a superadmin. */
export const bench: Bench = {
  title: `Searches and first filtered pages of the register (${sizes.join(' and ')} devices of ${companies} companies)`,
  run,
};

const searches = ['350000000123456', '3500000001', '123456', '23456'];
/** Filters of a page, and the same ones as Directus takes them. */
const filters: [filter: string, directus: string][] = [
  ['', 'sort=serial'],
  ['activation=activated', 'sort=serial&filter[activation_status][_eq]=activated'],
  ['warranty=Warranty%203', 'sort=serial&filter[warranty_title][_eq]=Warranty%203'],
  ['ends_within=30', 'sort=serial&filter[coverage_end_date][_between]=2026-11-25,2026-12-25'],
  ['expired=true', 'sort=serial&filter[coverage_end_date][_lt]=2026-11-25'],
  ['checked_before=2026-06-01', 'sort=serial&filter[last_checked][_lt]=2026-06-01'],
  ['changed_since=2026-11-01', 'sort=serial&filter[changed_at][_gte]=2026-11-01'],
  ['sort=coverage_end_date', 'sort=coverage_end_date'],
  ['sort=last_checked&order=desc', 'sort=-last_checked'],
  ['q=123456', 'sort=serial&filter[serial][_contains]=123456'],
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
  // Companies take turns by 200 rows, as results are registered.
  const rowsPerTicket = Math.min(200, Math.ceil(devices / companies));
  const tickets = Math.ceil(devices / rowsPerTicket);
  const { companyCode } = await storeTickets(api, { tickets, rows: rowsPerTicket, companies });
  const user = await createUser(api, { companyCode });
  const superadmin = await createUser(api, { superadmin: true });
  const time = (token: string, calls: string[]) =>
    timeAll((path) => sendCall(api, `GET /api${path}`, { token }), calls, rounds);
  const bare = await time(user.token, ['/devices?limit=1&q=NOTHINGATALL']);
  const compare = async (what: string, token: string, calls: string[]): Promise<Row> => ({
    what: `${what}, ${devices} devices: p95`,
    unit: 'ms',
    measured: quantile(await time(token, calls), 0.95),
    beside: 'a page without devices',
    reference: quantile(bare, 0.95),
  });
  const rows = [
    { ...(await compare('search, user', user.token, finds)), goal: 100 },
    { ...(await compare('filtered page, user', user.token, pages)), goal: 100 },
    await compare('search, superadmin', superadmin.token, finds),
    await compare('filtered page, superadmin', superadmin.token, pages),
  ];
  if (!directusFolder) return rows;
  const ours = await time(user.token, pages);
  const directus = await startDirectus(directusFolder, api.context.databaseUrl);
  try {
    const common = `limit=50&meta=filter_count&filter[company_code][_eq]=${companyCode}`;
    const questions = filters.map(([, query]) => `${common}&${query}`);
    const theirs = await timeAll((query) => directus.listDevices(query), questions, rounds);
    return [
      ...rows,
      {
        what: `pages of 50, user, ${devices} devices`,
        unit: '/s',
        measured: 1000 / median(ours),
        beside: 'Directus',
        reference: 1000 / median(theirs),
        minRatio: 20,
      },
    ];
  } finally {
    await directus.stop();
  }
}
