import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findEmbeddedUrl } from '#server/postgres/find-embedded.ts';
import { findPostmaster } from '#server/postgres/postmaster.ts';
import { makeSerials } from '#tests/support/lookups/tickets.ts';
import { callApi, makeStandardUser, type Session, uploadWorkbook } from '#tests/support/product/client.ts';
import { startProduct } from '#tests/support/product/product-process.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { startUpstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import type { UpstreamStep } from '#tests/support/sources/upstream-plan.ts';
import { waitFor } from '#tests/support/wait.ts';

type Progress = { status: string; done: number; failed: number; total: number };

/** A running product with a user, and a source whose answers the drill controls. */
export type DrilledProduct = Awaited<ReturnType<typeof startDrilledProduct>>;

type Options = {
  dataDir?: string;
  env?: Record<string, string>;
  /** Settings of the source besides its address. */
  entry?: object;
};

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

async function startDrilledProduct({ dataDir: given, env, entry }: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-drill-'));
  const dataDir = given ?? join(folder, 'data');
  const upstream = await startUpstream();
  await upstream.setLatency(20);
  const start = () =>
    startProduct({
      dataDir,
      sources: [upstreamEntry(upstream, entry)],
      env: { CACHE_HOURS: '0', LOG_LEVEL: 'error', ...env },
    });
  let product = await start();
  const { token } = await makeStandardUser(product.admin, 'Drill');
  const user = () => ({ url: product.url, token });
  const progress = (ticket: string) =>
    callApi<Progress>(user(), 'GET', `/tickets/progress?ticket_number=${ticket}`);
  return {
    dataDir,
    upstream,
    get url() {
      return product.url;
    },
    get process() {
      return product.process;
    },
    get admin() {
      return product.admin;
    },
    /** A user of a company, signed in. */
    get user() {
      return user();
    },
    progress,
    /** Returns the process of its database server. */
    async databasePid(): Promise<number> {
      const postmaster = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
      assert.ok(postmaster, 'the database runs');
      return postmaster.pid;
    },
    /** Runs some work on a connection to its database. */
    async withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
      const client = new pg.Client({ connectionString: (await findEmbeddedUrl(dataDir)) ?? '' });
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    },
    /**
     * Uploads a sheet with this number of serials.
     * @param steps the responses to every twentieth of them
     * @returns the ticket's number
     */
    async upload(rows: number, steps: UpstreamStep[] = []): Promise<string> {
      uploads += 1;
      const serials = makeSerials(`DRILL${uploads}X`, rows);
      const planned = steps.length === 0 ? [] : serials.filter((_, n) => n % 20 === 0);
      await upstream.plan(Object.fromEntries(planned.map((serial) => [serial, steps])));
      const workbook = makeWorkbook(['Serial', ...serials]);
      const { ticket } = await uploadWorkbook(user(), new Uint8Array(workbook));
      return ticket.ticket_number;
    },
    async untilDone(ticket: string, rows: number): Promise<void> {
      await waitFor(`${rows} rows to be done`, async () => (await progress(ticket)).done >= rows);
    },
    /** Waits until the ticket is Completed, and checks that every row is done and counted once. @returns the seconds it took */
    async untilCompleted(ticket: string, patience = 90_000): Promise<number> {
      const began = performance.now();
      const findCompleted = async () => {
        // The call fails while the database is down.
        const answer = await progress(ticket).catch(() => undefined);
        return answer?.status === 'Completed' ? answer : undefined;
      };
      const { done, failed, total } = await waitFor('the ticket to be completed', findCompleted, patience);
      assert.deepEqual({ done, failed }, { done: total, failed: 0 });
      const { pagination } = await callApi<{ pagination: { totalItems: number } }>(
        user(),
        'GET',
        `/imei?ticket_number=${ticket}&status=activated`,
      );
      assert.equal(pagination.totalItems, total, 'every row has one result');
      return (performance.now() - began) / 1000;
    },
    /** Returns the response time of /health/live in milliseconds. */
    async liveAnswer(): Promise<number> {
      const { status, ms } = await timeCall(user(), '/health/live');
      assert.equal(status, 200);
      return ms;
    },
    /** Stops the product, unless it has ended, and starts it again in the same folder. */
    async restart(): Promise<void> {
      await product.stop();
      product = await start();
    },
    async stop(): Promise<void> {
      await product.stop();
      await upstream.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Sends a read and receives its whole answer. @returns its status and duration */
export async function timeCall({ url, token }: Session, path: string) {
  const began = performance.now();
  const answer = await fetch(`${url}/api${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(60_000),
  });
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - began };
}
