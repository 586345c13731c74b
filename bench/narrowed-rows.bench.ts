import { createTestApi } from '../tests/support/api/api.ts';
import { createUser } from '../tests/support/api/factories.ts';
import { type Bench, quantile, type Row } from './support/bench.ts';
import { sendCall, timeAll } from './support/measure.ts';
import { storeTickets } from './support/stored-tickets.ts';

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);

/** Measures the first page and its counts, for many combinations of filter and sort order. */
export const bench: Bench = {
  title: `First pages and counts of a ticket of ${rows} rows, filtered and sorted, beside the whole ticket in sheet order`,
  run,
};

const filters = [
  ...['state=failed', 'state=done', 'activation=activated', 'activation=unknown', 'reason=Not%20found'],
  ...['type=iPhone%2015', 'warranty=Warranty%203', 'ends_from=2026-11-01&ends_to=2026-11-30', 'expired=true'],
  ...['q=350000000123456', 'q=3500000001', 'q=23456', 'type=iPhone%2015&activation=activated&expired=false'],
];
const sorts = ['serial_number', 'type', 'activation_status', 'warranty_title', 'coverage_end_date'];
const questions = [
  ...filters,
  ...sorts.flatMap((sort) => [`sort=${sort}`, `sort=${sort}&order=desc`]),
  ...sorts.map((sort) => `state=done&activation=activated&sort=${sort}&order=desc`),
];
const pages = questions.map((_, index) => `page=${2 + index}`);

async function run(): Promise<Row[]> {
  const api = await createTestApi();
  try {
    const { number, companyCode } = await storeTickets(api, { tickets: 1, rows });
    const { token } = await createUser(api, { companyCode });
    const ask = async (question: string) => {
      const call = `GET /api/imei?ticket_number=${number}&counts=1&limit=50&${question}`;
      const { counts } = (await sendCall(api, call, { token })).json<{ counts?: { all: number } }>();
      if (counts?.all !== rows) throw new Error(`${question}: without its counts`);
    };
    const times = await timeAll(ask, questions, rounds);
    const whole = await timeAll(ask, pages, rounds);
    const figures = (share: number) => ({
      unit: 'ms',
      measured: quantile(times, share),
      beside: 'sheet order',
      reference: quantile(whole, share),
    });
    return [
      { what: 'median', ...figures(0.5) },
      { what: 'p95', ...figures(0.95), goal: 1000 },
    ];
  } finally {
    await api.close();
  }
}
