import { createTestApi } from '../tests/support/api/api.ts';
import { type Bench, median, quantile, type Row } from './support/bench.ts';
import { createLargeTicket } from './support/large-ticket.ts';
import { sendCall, timeMs } from './support/measure.ts';

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

async function run(): Promise<Row[]> {
  const api = await createTestApi();
  try {
    const { number, token } = await createLargeTicket(api, rows, 'varied');
    const ask = (question: string) =>
      timeMs(async () => {
        const call = `GET /api/imei?ticket_number=${number}&counts=1&limit=50&${question}`;
        const { counts } = (await sendCall(api, call, { token })).json<{ counts?: { all: number } }>();
        if (counts?.all !== rows) throw new Error(`${question}: without its counts`);
      });
    await ask('page=2');
    const first = await ask('sort=type');
    const times: number[] = [];
    const whole: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const question of questions) {
        times.push(await ask(question));
        whole.push(await ask(`page=${1 + times.length}`));
      }
    }
    const beside = 'sheet order';
    const reference = quantile(whole, 0.95);
    return [
      { what: 'first read of the ticket', unit: 'ms', measured: first, beside, reference: median(whole) },
      { what: 'median', unit: 'ms', measured: median(times), beside, reference: median(whole) },
      { what: 'p95', unit: 'ms', measured: quantile(times, 0.95), beside, reference, goal: 1000 },
    ];
  } finally {
    await api.close();
  }
}
