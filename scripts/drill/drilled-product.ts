import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '#server/postgres/postmaster.ts';
import { callApi, type Session, signInAs, uploadWorkbook } from '#tests/support/client.ts';
import { makeWorkbook } from '#tests/support/make-workbook.ts';
import { type ProductProcess, startProcess } from '#tests/support/product-process.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

type Progress = { status: string; done: number; failed: number; total: number };

/** The whole product as `npm run demo` starts it, on its own database and a service that does as it is told. */
export type DrilledProduct = {
  url: string;
  dataDir: string;
  upstream: Upstream;
  process: ProductProcess;
  /** Its user, signed in. */
  session: Session;
  /** The process of its database server. */
  databasePid(): Promise<number>;
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
  close(): Promise<void>;
};

const patienceMs = 90_000;
let uploads = 0;

/** @param dataDir a folder of the caller's own; else one that `close` removes */
export async function startDrilledProduct(
  options: { dataDir?: string; env?: Record<string, string>; entry?: object } = {},
): Promise<DrilledProduct> {
  const scratch = await mkdtemp(join(tmpdir(), 'coverdesk-drill-'));
  const dataDir = options.dataDir ?? join(scratch, 'data');
  const upstream = await startUpstream();
  await upstream.setLatency(20);
  const sources = join(scratch, 'sources.json');
  await writeFile(sources, JSON.stringify({ sources: [upstreamEntry(upstream, options.entry)] }));
  const env = {
    DATA_DIR: dataDir,
    SOURCES_FILE: sources,
    CACHE_HOURS: '0',
    LOG_LEVEL: 'error',
    ...options.env,
  };

  const start = async () => {
    const process = startProcess('demo', env);
    const url = await process.ready();
    const { user } = JSON.parse(await readFile(join(dataDir, 'demo-accounts.json'), 'utf8'));
    return { process, url, session: await signInAs(url, user.email, user.password) };
  };
  let running = await start();
  const progress = (ticket: string) =>
    callApi<Progress>(running.session, 'GET', `/tickets/progress?ticket_number=${ticket}`);
  return {
    dataDir,
    upstream,
    get url() {
      return running.url;
    },
    get process() {
      return running.process;
    },
    get session() {
      return running.session;
    },
    async databasePid() {
      const postmaster = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
      assert.ok(postmaster, 'the database runs');
      return postmaster.pid;
    },
    async upload(rows) {
      uploads += 1;
      const serials = Array.from({ length: rows }, (_, n) => `DRILL${uploads}X${String(n).padStart(6, '0')}`);
      const { ticket } = await uploadWorkbook(
        running.session,
        new Uint8Array(makeWorkbook(['Serial', ...serials])),
      );
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
        running.session,
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
      running = await start();
    },
    async close() {
      if (running.process.process.exitCode === null && running.process.process.signalCode === null) {
        await running.process.stop();
      }
      await upstream.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
