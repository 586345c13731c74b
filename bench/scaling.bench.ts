import { startLookups } from '../src/features/lookups/server/worker.service.ts';
import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { createUser } from '../tests/support/api/factories.ts';
import { uploadSheet } from '../tests/support/api/uploads.ts';
import { makeSerials, waitUntilCompleted } from '../tests/support/lookups/tickets.ts';
import { makeWorkbook } from '../tests/support/sheets/make-workbook.ts';
import { type Bench, median, type Row } from './support/bench.ts';
import { sendCall, watchCpu } from './support/measure.ts';
import { storeTickets } from './support/stored-tickets.ts';

/** The numbers of stored rows. The others are compared with the first. */
const sizes = (process.env.BENCH_STORED ?? '10000,100000,1000000').split(',').map(Number);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** The rows of each stored ticket, and of the one that is worked on. */
const rows = 10_000;

/** The maximum ratio of a call's cost to its cost with the fewest stored rows. */
const maxRatios: Record<string, number> = { 'page of 50': 1.5, 'progress poll': 1.5 };

/** Measures the same work beside more and more stored rows of 20 companies, in CPU time of the API and the database. */
export const bench: Bench = {
  title: `A ticket of ${rows} rows beside ${sizes.join(', ')} stored rows, in CPU milliseconds`,
  run,
};

type Costs = Map<string, number[]>;

async function run(): Promise<Row[]> {
  const measured: Costs[] = [];
  for (const stored of sizes) {
    const api = await createTestApi();
    try {
      measured.push(await measureBeside(api, stored));
    } finally {
      await api.close();
    }
  }
  const [first, ...others] = measured;
  return others.flatMap((costs, index) =>
    [...costs].map(([what, times]) => ({
      what: `${what}, ${sizes[index + 1]} stored`,
      unit: 'ms',
      measured: median(times),
      beside: `${sizes[0]} stored`,
      reference: median(first?.get(what) ?? []),
      ...(maxRatios[what] && { maxRatio: maxRatios[what] }),
    })),
  );
}

/** Works on several tickets beside stored ones. @returns the CPU milliseconds of each kind of work in each round */
async function measureBeside(api: TestApi, stored: number): Promise<Costs> {
  const tickets = Math.ceil(stored / rows);
  const { companyCode } = await storeTickets(api, { tickets, rows, companies: 20 });
  const user = await createUser(api, { companyCode });
  const readCpu = await watchCpu(api, process.pid);
  const costs: Costs = new Map();
  let round = 0;
  const measure = async <T>(what: string, times: number, work: () => Promise<T>): Promise<T> => {
    const before = await readCpu();
    let result = await work();
    for (let time = 1; time < times; time++) result = await work();
    const milliseconds = ((await readCpu()) - before) * 1000;
    // The first round only warms up.
    if (round > 0) costs.set(what, [...(costs.get(what) ?? []), milliseconds / times]);
    return result;
  };
  const call = (path: string) => sendCall(api, path, { token: user.token });
  for (; round <= rounds; round++) {
    const workbook = makeWorkbook(['Serial', ...makeSerials(`SCALE${round}X`, rows)]);
    const upload = await measure('import', 1, () => uploadSheet(api, user, workbook));
    const { ticket } = upload.json<{ ticket: { _id: string; ticket_number: string } }>();
    const number = ticket.ticket_number;
    await api.context.db.query('ANALYZE');
    await measure('lookups', 1, async () => {
      const engine = await startLookups(api.context, process.env, () => undefined);
      await waitUntilCompleted(api.context.db, Number(ticket._id), 300_000);
      await engine.drain();
    });
    await measure('page of 50', 200, () => call(`GET /api/imei?ticket_number=${number}&page=7&limit=50`));
    await measure('filter', 20, () =>
      call(`GET /api/imei?ticket_number=${number}&status=activated&counts=1`),
    );
    await measure('progress poll', 200, () => call(`GET /api/tickets/progress?ticket_number=${number}`));
    await measure('export', 1, () => call(`GET /api/imei/download?ticket_number=${number}&format=json`));
    await measure('delete', 1, async () => {
      await call(`DELETE /api/imei/${number}`);
      await call(`DELETE /api/data/${number}`);
    });
  }
  return costs;
}
