import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, tryListen } from '#server/runtime/free-port.ts';
import type { Log } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { run } from './account.ts';
import { programOf } from './binaries.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { findPostmaster, isStopping, removeForeignPidFile } from './postmaster.ts';
import { rotateLog } from './rotate-log.ts';
import { serverSettings } from './settings.ts';
import { allowsFewerConnections, connectAsSuperuser, createRoleAndDatabase, role } from './superuser.ts';

/** A running embedded server. `url` stays valid until `stop`, also after a restart of the server. */
export type EmbeddedPostgres = { url: string; stop(): Promise<void> };

export type EmbeddedOptions = {
  dataDir: string;
  log: Log;
  /** Aborts the start, also that of a server that still recovers from a crash. */
  signal?: AbortSignal;
  /** Server settings that override the defaults: more connections for many workers, no fsync in tests. */
  settings?: Record<string, string>;
};

/** How long pg_ctl waits. After that, the launcher waits for the server itself, so that a stop can end the wait. */
const startSeconds = 5;
/** How long a server that pg_ctl no longer waits for may need until it writes its pid file. */
const slowestStartMs = 120_000;
/** After this wait, a line says what the start waits for. */
const noticeMs = 5000;
const serverLogLimit = 10 * 1024 * 1024;
const logCheckMs = 60_000;
const stopCheckMs = 1000;

/**
 * Starts the embedded PostgreSQL of a data folder, or takes over the server of a killed product, restarting it if it
 * allows too few connections. Until `stop`, a server that dies or is told to stop is restarted on the same port. A start
 * that fails stops the server.
 * @throws DataDirInUseError while another process uses the folder; the signal's reason
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  signal,
  settings = {},
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir);
  const unlock = lockFolder(cluster.home);
  const stopping = new AbortController();
  const starting: StartOptions = { cluster, settings, log };
  let { keeper, port } = await bringUp(starting, signal).catch(async (error: unknown) => {
    // The file of an earlier server may name a process of somebody else by now.
    if (await findPostmaster(cluster.folder)) await stopServer(cluster).catch(() => undefined);
    unlock();
    throw error;
  });
  const logCheck = setInterval(() => {
    rotateLog(cluster.logFile, serverLogLimit).catch((error: Error) =>
      log.warn({ err: error }, "the embedded PostgreSQL's log could not be rotated"),
    );
  }, logCheckMs).unref();
  const stopCheck = setInterval(async () => {
    // The server waits for its clients, and the keeper is one. Its end lets `revive` stop the server.
    if (!stopping.signal.aborted && (await isStopping(cluster.folder))) void keeper.end();
  }, stopCheckMs).unref();
  const watch = () => {
    keeper.once('end', () => {
      if (!stopping.signal.aborted) revival = revive();
    });
  };
  const revive = async () => {
    while (!stopping.signal.aborted) {
      log.warn('the embedded PostgreSQL ended and is started again');
      try {
        ({ keeper } = await bringUp(starting, stopping.signal, port));
        watch();
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, 'the embedded PostgreSQL could not be started again');
        await delay(1000);
      }
    }
  };
  let revival: Promise<void> = Promise.resolve();
  watch();
  return {
    url: `postgres://${role}:${cluster.password}@127.0.0.1:${port}/${role}`,
    async stop() {
      stopping.abort();
      clearInterval(logCheck);
      clearInterval(stopCheck);
      await revival;
      // Does not wait for the connection to close, because its process may be frozen.
      void keeper.end();
      const stopped = await stopServer(cluster);
      if (stopped.code !== 0) log.error({ output: stopped.output }, 'the embedded PostgreSQL did not stop');
      unlock();
    },
  };
}

type StartOptions = { cluster: Cluster; settings: Record<string, string>; log: Log };

/**
 * Starts or takes over the server. Returns its port and a connection that ends when the server does.
 * @throws the signal's reason
 */
async function bringUp({ cluster, settings, log }: StartOptions, signal?: AbortSignal, knownPort?: number) {
  let fixedPort = knownPort;
  // Within seconds, the memory of a killed server is released, and a port that was just taken is replaced.
  const beganAt = performance.now();
  const retryUntil = beganAt + 5000;
  let noticeAt = performance.now() + noticeMs;
  let isRecovering = false;
  for (;;) {
    signal?.throwIfAborted();
    const running = await findPostmaster(cluster.folder);
    if (!running) {
      if (isRecovering) throw await explainFailure(cluster);
      await removeForeignPidFile(cluster.folder);
      const startedAt = performance.now();
      await start(cluster, settings, fixedPort).catch(async (error: unknown) => {
        isRecovering = (await findPostmaster(cluster.folder)) !== null;
        const isSlow = performance.now() - startedAt >= startSeconds * 1000;
        if (!isRecovering && performance.now() > (isSlow ? beganAt + slowestStartMs : retryUntil))
          throw error;
        await delay(200);
      });
      continue;
    }
    if (running.state === 'stopping') await stopServer(cluster);
    const keeper = running.state === 'ready' ? await connectAsSuperuser(cluster, running.port) : null;
    if (!keeper) {
      // Waits without a limit, because the server is alive and crash recovery may take long.
      if (performance.now() > noticeAt) {
        log.warn('waiting for the embedded PostgreSQL, which may recover from a crash');
        noticeAt = Number.POSITIVE_INFINITY;
      }
      await delay(30);
      continue;
    }
    try {
      if (!(await allowsFewerConnections(keeper, settings))) {
        await createRoleAndDatabase(keeper, cluster.password);
        await rememberPort(cluster, running.port);
        return { keeper, port: running.port };
      }
    } catch (error) {
      void keeper.end();
      throw error;
    }
    // A killed product with fewer workers started it, and no other process uses it.
    void keeper.end();
    const { code, output } = await stopServer(cluster);
    if (code !== 0) throw new StartError(`The embedded PostgreSQL cannot be started again: ${output}`);
    fixedPort = running.port;
  }
}

const portFile = ({ home }: Cluster) => join(home, 'port');

async function readPort(cluster: Cluster): Promise<number> {
  return Number(await readFile(portFile(cluster), 'utf8').catch(() => '0'));
}

/** Writes the port for the next start, unless it is known: the disk may be full. */
async function rememberPort(cluster: Cluster, port: number): Promise<void> {
  if ((await readPort(cluster)) === port) return;
  const fresh = `${portFile(cluster)}.new`;
  await writeFile(fresh, String(port));
  await rename(fresh, portFile(cluster));
}

/** Returns the port of the last start if it is free, otherwise another free port. */
async function choosePort(remembered: number): Promise<number> {
  const loopback = '127.0.0.1';
  const isFree =
    remembered > 0 &&
    (await tryListen(loopback, remembered).then(
      () => true,
      () => false,
    ));
  return isFree ? remembered : findFreePort(loopback);
}

async function start(cluster: Cluster, settings: Record<string, string>, fixedPort?: number): Promise<void> {
  const port = fixedPort ?? (await choosePort(await readPort(cluster)));
  await rotateLog(cluster.logFile, serverLogLimit);
  const options = Object.entries(serverSettings({ ...settings, port: String(port) }))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const started = await control(cluster, [
    'start',
    '--wait',
    `--timeout=${startSeconds}`,
    `--log=${cluster.logFile}`,
    `--options=${options}`,
  ]);
  if (started.code !== 0) throw await explainFailure(cluster, started.output);
}

/** Returns the error of a server that does not start, with the end of its log. */
async function explainFailure({ logFile }: Cluster, output = 'it ended'): Promise<StartError> {
  const reason = (await readFile(logFile, 'utf8').catch(() => output)).trimEnd().split('\n').slice(-5);
  return new StartError(`The embedded PostgreSQL does not start: ${reason.join(' | ')}`);
}

function stopServer(cluster: Cluster) {
  return control(cluster, ['stop', '--mode=fast', '--timeout=60']);
}

function control(cluster: Cluster, args: string[]) {
  return run(cluster.account, programOf(cluster.binaries, 'pg_ctl'), [`--pgdata=${cluster.folder}`, ...args]);
}
