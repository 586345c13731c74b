import assert from 'node:assert/strict';
import { join } from 'node:path';
import pg from 'pg';
import { findEmbeddedUrl } from '#server/postgres/find-embedded.ts';
import { findPostmaster } from '#server/postgres/postmaster.ts';
import { callApi, makeStandardUser, type Session, uploadWorkbook } from '#tests/support/product/client.ts';
import { type Product, startProduct } from '#tests/support/product/product-process.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

type Progress = { status: string; done: number; failed: number; total: number };

/** The product with a user, and a service that answers as it is told. */
export type DrilledProduct = Product & {
  upstream: Upstream;
  /** A user of a company, signed in. */
  user: Session;
  /** The process of its database server. */
  databasePid(): Promise<number>;
  /** Does something on a connection to its database. */
  withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Uploads a sheet of so many serials. @returns the ticket's number */
  upload(rows: number): Promise<string>;
  progress(ticket: string): Promise<Progress>;
  untilDone(ticket: string, rows: number): Promise<void>;
  /** Waits for the end, and checks that every row was done and counted once. @returns seconds until then */
  untilCompleted(ticket: string, patience?: number): Promise<number>;
  /** How long the API takes to say that it lives, in milliseconds. */
  liveAnswer(): Promise<number>;
  /** Starts it again in the same folder, once it has ended. */
  restart(): Promise<void>;
};

type Options = {
  dataDir?: string;
  env?: Record<string, string>;
  /** Settings of the service beside its address. */
  entry?: object;
};

const patienceMs = 90_000;
let uploads = 0;

/** Runs a drill on a product of its own, which it stops. */
export async function onProduct<T>(
  options: Options,
  drill: (product: DrilledProduct) => Promise<T>,
): Promise<T> {
  const product = await startDrilledProduct(options);
  try {
    return await drill(product);
  } finally {
    await product.stop();
  }
}

async function startDrilledProduct(options: Options): Promise<DrilledProduct> {
  const upstream = await startUpstream();
  await upstream.setLatency(20);
  const sources = [upstreamEntry(upstream, options.entry)];
  const env = { CACHE_HOURS: '0', LOG_LEVEL: 'error', ...options.env };
  const first = await startProduct({ ...options, sources, env });
  const { dataDir } = first;
  const { token } = await makeStandardUser(first.admin, 'Drill');
  const restarted: Product[] = [];
  let running = first;
  const user = () => ({ url: running.url, token });
  const progress = (ticket: string) =>
    callApi<Progress>(user(), 'GET', `/tickets/progress?ticket_number=${ticket}`);
  return {
    dataDir,
    upstream,
    login: first.login,
    get url() {
      return running.url;
    },
    get process() {
      return running.process;
    },
    get admin() {
      return running.admin;
    },
    get user() {
      return user();
    },
    async databasePid() {
      const postmaster = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
      assert.ok(postmaster, 'the database runs');
      return postmaster.pid;
    },
    async withDatabase(work) {
      const client = new pg.Client({ connectionString: (await findEmbeddedUrl(dataDir)) ?? '' });
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    },
    async upload(rows) {
      uploads += 1;
      const serials = Array.from({ length: rows }, (_, n) => `DRILL${uploads}X${String(n).padStart(6, '0')}`);
      const { ticket } = await uploadWorkbook(user(), new Uint8Array(makeWorkbook(['Serial', ...serials])));
      return ticket.ticket_number;
    },
    progress,
    async untilDone(ticket, rows) {
      await waitFor(`${rows} rows to be done`, async () => (await progress(ticket)).done >= rows);
    },
    async untilCompleted(ticket, patience = patienceMs) {
      const began = performance.now();
      const over = async () => {
        // While the database is away the question fails, which is what the drill is about.
        const answer = await progress(ticket).catch(() => undefined);
        return answer?.status === 'Completed' ? answer : undefined;
      };
      const { done, failed, total } = await waitFor('the ticket to be completed', over, patience);
      assert.deepEqual({ done, failed }, { done: total, failed: 0 });
      const { pagination } = await callApi<{ pagination: { totalItems: number } }>(
        user(),
        'GET',
        `/imei?ticket_number=${ticket}&status=activated`,
      );
      assert.equal(pagination.totalItems, total, 'every row has its outcome once');
      return (performance.now() - began) / 1000;
    },
    async liveAnswer() {
      const began = performance.now();
      const answer = await fetch(`${running.url}/api/health/live`, { signal: AbortSignal.timeout(30_000) });
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
      return performance.now() - began;
    },
    async restart() {
      await running.process.ended;
      running = await startProduct({ dataDir, sources, env });
      restarted.push(running);
    },
    async stop() {
      for (const product of [...restarted, first]) await product.stop();
      await upstream.close();
    },
  };
}
