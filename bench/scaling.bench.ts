import pg from 'pg';
import { lookupQueue } from '../src/features/lookups/server/jobs/lookup-jobs.queries.ts';
import { asQueueDatabase, openQueue } from '../src/features/lookups/server/jobs/open-queue.ts';
import { startLookups } from '../src/features/lookups/server/worker.service.ts';
import { inTransaction } from '../src/server/db/db.ts';
import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { createUser, type TestUser } from '../tests/support/api/factories.ts';
import { uploadSheet } from '../tests/support/api/uploads.ts';
import { waitUntilCompleted } from '../tests/support/lookups/tickets.ts';
import { listTree, readCpuSeconds, readParent } from '../tests/support/product/process-tree.ts';
import { makeWorkbook } from '../tests/support/sheets/make-workbook.ts';
import { type Bench, median, type Row } from './support/bench.ts';
import { sendCall } from './support/measure.ts';

/** The numbers of stored rows. The first is what the others are compared with. */
const sizes = (process.env.BENCH_STORED ?? '10000,100000,1000000').split(',').map(Number);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** The rows of the ticket that is worked on, whatever is stored. */
const asked = 10_000;
const rowsPerTicket = 10_000;
const companies = 20;

/** The most that a call may cost, beside what it costs with the fewest stored rows. */
const maxRatios: Record<string, number> = { 'claim of work': 1.5, 'page of 50': 1.5, 'progress poll': 1.5 };

/** Measures the same work beside more and more stored rows of 20 companies, in CPU time of the API and the database. */
export const bench: Bench = {
  title: `A ticket of ${asked} rows beside ${sizes.join(', ')} stored rows, in CPU milliseconds`,
  run,
};

type Costs = Map<string, number[]>;

async function run(): Promise<Row[]> {
  const measured: [stored: number, costs: Costs][] = [];
  for (const stored of sizes) {
    const api = await createTestApi({ LOG_LEVEL: 'silent' });
    try {
      measured.push([stored, await measureBeside(api, stored)]);
    } finally {
      await api.close();
    }
  }
  const [[fewest, least] = [0, new Map<string, number[]>()]] = measured;
  return measured.slice(1).flatMap(([stored, costs]) =>
    Array.from(costs, ([what, times]) => ({
      what: `${what}, ${stored} stored`,
      unit: 'ms',
      measured: median(times),
      beside: `${fewest} stored`,
      reference: median(least.get(what) ?? []),
      ...(maxRatios[what] !== undefined && { maxRatio: maxRatios[what] }),
    })),
  );
}

async function measureBeside(api: TestApi, stored: number): Promise<Costs> {
  const user = await createUser(api, { companyCode: await fill(api, stored) });
  const server = await findServer(api);
  const costs: Costs = new Map();
  for (let round = 0; round <= rounds; round++) {
    const measure = async <T>(what: string, times: number, work: () => Promise<T>): Promise<T> => {
      const before = await readCpuMs(server);
      let result = await work();
      for (let time = 1; time < times; time++) result = await work();
      // The first round only warms up.
      if (round > 0)
        costs.set(what, [...(costs.get(what) ?? []), ((await readCpuMs(server)) - before) / times]);
      return result;
    };
    await workOnTicket(api, user, round, measure);
  }
  return costs;
}

type Measure = <T>(what: string, times: number, work: () => Promise<T>) => Promise<T>;

/** Imports, looks up, reads, exports and deletes a ticket. */
async function workOnTicket(api: TestApi, user: TestUser, round: number, measure: Measure): Promise<void> {
  const { db } = api.context;
  const workbook = makeWorkbook([
    'Serial',
    ...Array.from({ length: asked }, (_, n) => `SCALE${round}${String(n).padStart(6, '0')}`),
  ]);
  const upload = await measure('import', 1, () => uploadSheet(api, user, workbook));
  if (upload.statusCode !== 201) throw new Error(`upload: ${upload.statusCode} ${upload.body}`);
  const number = upload.json<{ ticket: { ticket_number: string } }>().ticket.ticket_number;
  const { rows } = await db.query<{ id: number }>('SELECT id FROM tickets WHERE ticket_number = $1', [
    number,
  ]);
  const id = Number(rows[0]?.id);
  await db.query('ANALYZE');
  await measureClaims(api, measure);
  await measure('lookups', 1, async () => {
    const engine = await startLookups(api.context, process.env, () => undefined);
    await waitUntilCompleted(db, id, 300_000);
    await engine.drain();
  });
  const call = (path: string) => sendCall(api, path, { token: user.token });
  await measure('page of 50', 200, () => call(`GET /api/imei?ticket_number=${number}&page=7&limit=50`));
  await measure('filter', 20, () => call(`GET /api/imei?ticket_number=${number}&status=activated&counts=1`));
  await measure('progress poll', 200, () => call(`GET /api/tickets/progress?ticket_number=${number}`));
  await measure('export', 1, () => call(`GET /api/imei/download?ticket_number=${number}&format=json`));
  await measure('delete', 1, async () => {
    await call(`DELETE /api/imei/${number}`);
    await call(`DELETE /api/data/${number}`);
  });
}

async function measureClaims({ context: { db, log } }: TestApi, measure: Measure): Promise<void> {
  const queue = await openQueue(db, log);
  const undone = new Error('claimed in order to measure it');
  await measure('claim of work', 100, () =>
    inTransaction(db, async (tx) => {
      const jobs = await queue.fetch(lookupQueue, { batchSize: 25, db: asQueueDatabase(tx) });
      if (jobs.length === 0) throw new Error('no work to claim');
      throw undone;
    }).catch((error: Error) => {
      if (error !== undone) throw error;
    }),
  );
  await queue.stop({ graceful: false, close: false });
}

/** Stores completed tickets of many companies, and their devices. @returns the code of one of the companies */
async function fill({ context }: TestApi, stored: number): Promise<string> {
  // Without the deadlines of the product.
  const client = new pg.Client({ connectionString: context.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO clients (company_name, company_code) SELECT 'Company ' || n, 'CMP' || n FROM generate_series(1, $1::integer) n`,
      [companies],
    );
    await client.query(
      `WITH made AS (
         INSERT INTO tickets (ticket_number, company_code, data_count, total, done, failed, price, current_dollar_price, status,
           file_name, imported_at, started_at, finished_at)
         SELECT 1000000 + n, 'CMP' || 1 + n % $1::integer, $2, $2, $2, 0, 0.05, 16000, 'Completed', 'sheet.xlsx',
           now() - interval '1 day', now(), now()
         FROM generate_series(1, $3::integer) n RETURNING id, ticket_number)
       INSERT INTO serials (ticket_id, position, sheet_row, serial, kind, state, type, activation_status, purchase_date,
         warranty_title, coverage_start_date, coverage_end_date, fetched_at, source, attempts, egress, cached)
       SELECT id, n, n + 1, (350000000000000 + ticket_number * 10000 + n)::text, 'imei', 'done', 'iPhone ' || 4 + n % 12,
         (ARRAY['activated', 'unactivated']::activation[])[1 + n % 2], '2025-03-01', 'Warranty ' || n % 5, '2025-03-01',
         '2025-01-01'::date + n % 1460, now(), 'sandbox', 1, 'direct', false
       FROM made CROSS JOIN generate_series(1, $2::integer) n`,
      [companies, rowsPerTicket, Math.ceil(stored / rowsPerTicket)],
    );
    await client.query(
      `INSERT INTO devices (company_code, serial, type, activation_status, purchase_date, warranty_title, coverage_start_date,
         coverage_end_date, source, first_seen, last_checked, tickets)
       SELECT t.company_code, s.serial, s.type, s.activation_status, s.purchase_date, s.warranty_title, s.coverage_start_date,
         s.coverage_end_date, s.source, s.fetched_at, s.fetched_at, ARRAY[t.ticket_number]
       FROM serials s JOIN tickets t ON t.id = s.ticket_id`,
    );
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
  return 'CMP7';
}

/** Returns the main process of the database server. */
async function findServer({ context: { db } }: TestApi): Promise<number> {
  const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return readParent(rows[0]?.pid ?? 0);
}

/** Returns the CPU milliseconds of this process and of the database server, with its ended and running processes. */
async function readCpuMs(server: number): Promise<number> {
  const { user, system } = process.cpuUsage();
  const [, ...running] = await listTree(server);
  const backends = await Promise.all(running.map((pid) => readCpuSeconds([pid])));
  const seconds = backends.reduce<number>(
    (sum, each) => sum + (each ?? 0),
    (await readCpuSeconds([server], true)) ?? 0,
  );
  return (user + system) / 1000 + seconds * 1000;
}
