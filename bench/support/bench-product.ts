import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findEmbeddedUrl } from '../../src/server/postgres/find-embedded.ts';
import { findPostmaster } from '../../src/server/postgres/postmaster.ts';
import { callApi, makeStandardUser, type Session, signInAs } from '../../tests/support/product/client.ts';
import {
  readCpuSeconds,
  readOwnMb,
  readPeakMb,
  readProportionalMb,
  resetPeak,
} from '../../tests/support/product/process-tree.ts';
import { startProcess } from '../../tests/support/product/product-process.ts';
import { waitFor } from '../../tests/support/wait.ts';

/** What some work took: seconds of wall time and CPU, and the peak memory of all processes without PostgreSQL. */
type Usage<T> = { result: T; seconds: number; cpu: number; databaseCpu: number; megabytes: number };

/** A built product that `npm start` runs, seen from outside. */
export type BenchProduct = {
  contender: string;
  url: string;
  databaseUrl: string;
  /** The seconds from `npm start` to the ready line. */
  startSeconds: number;
  admin: Session;
  /** A standard user of a new company. */
  user: Session;
  /** Measures all its processes during some work. */
  use<T>(work: () => Promise<T>): Promise<Usage<T>>;
  readCpu(): Promise<number>;
  readDatabaseCpu(): Promise<number>;
  /** Returns the memory (PSS) of all its processes and of PostgreSQL. */
  readMegabytes(): Promise<number>;
  /** Returns the memory of all its processes that is neither of files nor shared, without PostgreSQL. */
  readOwnMegabytes(): Promise<number>;
  /** @param reader the user whose ticket it is, if that is another one */
  waitUntilCompleted(ticket: string, reader?: Session): Promise<void>;
  stop(): Promise<void>;
};

type Options = { contender: string; checkout: string; dataDir: string; sources?: object[] };

const login = { email: 'admin@localhost', password: 'a long enough one' };
/** For a million lookups on a busy machine. */
const patienceMs = 3_600_000;

/** What stops each product that runs. */
const running = new Set<() => Promise<void>>();

/** Stops all products that still run. */
export async function stopProducts(): Promise<void> {
  await Promise.all([...running].map((stop) => stop()));
}

/** Starts a product by `npm start` without signing in. @returns what stops it, its process id, address and start time */
export async function startByNpm({ checkout, dataDir, sources }: Omit<Options, 'contender'>) {
  await mkdir(dataDir, { recursive: true });
  const sourcesFile = join(dataDir, '..', 'sources.json');
  if (sources) await writeFile(sourcesFile, JSON.stringify({ sources }));
  const env = {
    DATA_DIR: dataDir,
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    LOG_LEVEL: 'warn',
    MAX_UPLOAD_MB: '500',
    CACHE_HOURS: '0',
    ...(sources && { SOURCES_FILE: sourcesFile }),
    // Users have no compile cache for npm itself.
    NODE_COMPILE_CACHE: undefined,
  };
  const began = performance.now();
  const product = startProcess('start', env, ['npm', '--prefix', checkout, '--silent', 'start']);
  /** Ends npm, which passes only the SIGINT of a terminal on, and with it the product. */
  const stop = async () => {
    running.delete(stop);
    product.process.kill('SIGTERM');
    await product.ended;
  };
  running.add(stop);
  const url = await product.ready();
  return { url, seconds: (performance.now() - began) / 1000, pid: product.process.pid ?? 0, stop };
}

export async function startBenchProduct(options: Options): Promise<BenchProduct> {
  const { url, seconds, pid, stop } = await startByNpm(options);
  const admin = await signInAs(url, login.email, login.password);
  const user = await makeStandardUser(admin, 'Bench');
  const databaseUrl = await findEmbeddedUrl(options.dataDir);
  // The database server is no child of npm.
  const server = await findPostmaster(join(options.dataDir, 'postgres', 'cluster'));
  if (!databaseUrl || !server) throw new Error(`no database runs in ${options.dataDir}`);
  const readCpu = () => readCpuSeconds([pid]);
  const readDatabaseCpu = () => readCpuSeconds([server.pid]);
  return {
    contender: options.contender,
    ...{ url, databaseUrl, startSeconds: seconds, admin, user, readCpu, readDatabaseCpu, stop },
    async use(work) {
      await resetPeak(pid);
      const before = [await readCpu(), await readDatabaseCpu()] as const;
      const began = performance.now();
      const result = await work();
      const took = (performance.now() - began) / 1000;
      const after = [await readCpu(), await readDatabaseCpu()] as const;
      const cpu = after[0] - before[0];
      return {
        result,
        seconds: took,
        cpu,
        databaseCpu: after[1] - before[1],
        megabytes: await readPeakMb(pid),
      };
    },
    readMegabytes: () => readProportionalMb([pid, server.pid]),
    readOwnMegabytes: () => readOwnMb(pid),
    async waitUntilCompleted(ticket, reader = user) {
      const isCompleted = async () => (await readProgress(reader, ticket)).status === 'Completed';
      await waitFor(`ticket ${ticket} to be completed`, isCompleted, patienceMs);
    },
  };
}

/** Reads the progress of a ticket as a screen does. */
export async function readProgress(user: Session, ticket: string) {
  return callApi<{ status: string; done: number }>(user, 'GET', `/tickets/progress?ticket_number=${ticket}`);
}
