import { setTimeout as delay } from 'node:timers/promises';
import { makeSerials } from '../../tests/support/lookups/tickets.ts';
import { callApi, uploadWorkbook } from '../../tests/support/product/client.ts';
import { makeWorkbook } from '../../tests/support/sheets/make-workbook.ts';
import type { Goal } from '../support/figures.ts';
import type { Stage } from '../support/stage.ts';
import { type StoredProduct, withStored } from '../support/stored-calls.ts';

/** The numbers of stored rows. The others are compared with the first. */
const sizes = (process.env.BENCH_STORED ?? '10000,100000,1000000').split(',').map(Number);
/** The rows of each stored ticket, and of the one that is worked on. */
const rows = 10_000;
const works = [
  'import',
  'lookups',
  'page of 50',
  'filter, with counts',
  'progress poll',
  'JSON export',
  'delete',
];
/** The maximum ratio of a call's cost to its cost with the fewest stored rows. */
const maxRatios: Record<string, number> = { 'page of 50': 1.5, 'progress poll': 1.5 };

const nameOf = (size: number | undefined) => `${size} stored`;

export const goals: Goal[] = sizes.slice(1).flatMap((size) =>
  works.map((work): Goal => {
    const figure = `${work}, CPU, ${nameOf(size)}`;
    return { figure, unit: 'ms', peer: nameOf(sizes[0]), better: 'smaller', goal: maxRatios[work] };
  }),
);

/** Measures the same work beside more and more stored rows of 20 companies, in CPU of the product and PostgreSQL. */
export async function measure(stage: Stage): Promise<void> {
  for (const size of sizes) {
    const stored = { tickets: Math.ceil(size / rows), rows, companies: 20 };
    await withStored(stage, stored, async (product) => {
      for (let round = 0; round <= stage.rounds; round++) {
        const costs = await workOnTicket(product, `SCALE${round}X`);
        // The first round only warms up.
        if (round === 0) continue;
        for (const [work, milliseconds] of costs) {
          for (const other of sizes.slice(1)) {
            // The cost with the fewest stored rows is what all others are compared with.
            const figure = `${work}, CPU, ${nameOf(other)}`;
            if (size === sizes[0]) stage.figures.add(figure, nameOf(size), milliseconds);
            if (size === other) stage.figures.add(figure, 'ours', milliseconds);
          }
        }
      }
    });
  }
}

/** Imports, looks up, reads and deletes one ticket. @returns the CPU milliseconds of each kind of work */
async function workOnTicket({ product, user }: StoredProduct, prefix: string): Promise<Map<string, number>> {
  const costs = new Map<string, number>();
  const use = async <T>(work: string, times: number, run: () => Promise<T>): Promise<T> => {
    const { result, cpu, databaseCpu } = await product.use(async () => {
      for (let time = 1; time < times; time++) await run();
      return run();
    });
    costs.set(work, ((cpu + databaseCpu) * 1000) / times);
    return result;
  };
  const workbook = new Uint8Array(makeWorkbook(['Serial', ...makeSerials(prefix, rows)]));
  // Otherwise lookups would begin during the import.
  await callApi(product.admin, 'POST', '/sources/sandbox/pause');
  const { ticket } = await use('import', 1, () => uploadWorkbook(user, workbook));
  const number = ticket.ticket_number;
  await delay(1000);
  await use('lookups', 1, async () => {
    await callApi(product.admin, 'POST', '/sources/sandbox/resume');
    await product.waitUntilCompleted(number, user);
  });
  const read = (path: string) => () => callApi(user, 'GET', path);
  await use('page of 50', 200, read(`/imei?ticket_number=${number}&page=7&limit=50`));
  await use('filter, with counts', 20, read(`/imei?ticket_number=${number}&status=activated&counts=1`));
  await use('progress poll', 200, read(`/tickets/progress?ticket_number=${number}`));
  await use('JSON export', 1, read(`/imei/download?ticket_number=${number}&format=json`));
  await use('delete', 1, async () => {
    await callApi(user, 'DELETE', `/imei/${number}`);
    await callApi(user, 'DELETE', `/data/${number}`);
  });
  return costs;
}
