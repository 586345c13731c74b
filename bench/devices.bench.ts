import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { createUser } from '../tests/support/api/factories.ts';
import { type Bench, quantile, type Row } from './support/bench.ts';
import { sendCall, timeAll } from './support/measure.ts';
import { storeTickets } from './support/stored-tickets.ts';

const sizes = (process.env.BENCH_DEVICES ?? '10000,1000000').split(',').map(Number);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const companies = 200;

/** Measures searches and first filtered pages of the register, for a user of one company and for a superadmin. */
export const bench: Bench = {
  title: `Searches and first filtered pages of the register (${sizes.join(' and ')} devices of ${companies} companies)`,
  run,
};

const searches = ['350000000123456', '3500000001', '123456', '23456'];
const filters = [
  ...['', 'activation=activated', 'warranty=Warranty%203', 'ends_within=30', 'expired=true', 'q=123456'],
  ...['checked_before=2026-06-01', 'changed_since=2026-11-01', 'sort=coverage_end_date'],
  ...['sort=last_checked&order=desc', 'activation=activated&expired=false'],
];
const pages = filters.map((filter) => `/devices?limit=50&counts=1&${filter}`);
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
  return [
    { ...(await compare('search, user', user.token, finds)), goal: 100 },
    { ...(await compare('filtered page, user', user.token, pages)), goal: 100 },
    await compare('search, superadmin', superadmin.token, finds),
    await compare('filtered page, superadmin', superadmin.token, pages),
  ];
}
