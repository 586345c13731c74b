import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitFor } from '#tests/support/wait.ts';
import { bringUpToDate, buildServer, buildWeb } from '../../../scripts/run/build.mjs';
import { alone } from '../../../scripts/run/lock.mjs';
import { compiled, inRoot, root } from '../../../scripts/run/paths.mjs';
import { findBuilt } from './built-server.ts';
import { type Session, signInAs } from './client.ts';

// Builds the product that `npm start` runs from the current sources.
await findBuilt('main.js');
await alone(() => bringUpToDate(buildWeb));

/** A running command of the product, in its own process group. */
export type ProductProcess = {
  /** The lines of its standard output. */
  lines: string[];
  /** The lines of its standard error. */
  log: string[];
  process: ChildProcess;
  /** Resolves with the exit code when it has ended and both outputs are read. */
  ended: Promise<number | null>;
  /** Resolves with the address of its ready line; rejects if it ends before. */
  ready(): Promise<string>;
  /** Stops it gracefully. @returns the exit code */
  stop(): Promise<number | null>;
  /** Kills all its processes at once, as a power cut does. The embedded database server keeps running. */
  killAll(): Promise<void>;
};

/**
 * Starts a command, such as `start --api`, with exactly these variables, and one worker on any machine.
 * @param program another way to start it
 */
export function startProcess(
  command: string,
  env: NodeJS.ProcessEnv,
  [program, ...args]: [string, ...string[]] = [
    process.execPath,
    inRoot(buildServer.made),
    ...command.split(' '),
  ],
): ProductProcess {
  const child = spawn(program, args, {
    cwd: root,
    // A compile cache, as `npm start` has, because each process and thread loads hundreds of modules.
    env: { PATH: process.env.PATH, PORT: '0', WORKERS: '1', NODE_COMPILE_CACHE: compiled, ...env },
    // The IPC channel ends the product if the tests are killed. killAll needs the process group.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const [lines, linesRead] = collectLines(child.stdout);
  const [log, logRead] = collectLines(child.stderr);
  let over = false;
  const ended = Promise.all([once(child, 'exit'), linesRead, logRead]).then(([[code]]) => {
    over = true;
    return code as number | null;
  });
  return {
    lines,
    log,
    process: child,
    ended,
    async ready() {
      const readyLine = () =>
        lines.find((line) => line.startsWith('Coverdesk ') && line.includes(' is ready'));
      await waitFor('the ready line', async () => over || readyLine() !== undefined);
      const line = readyLine();
      if (!line) throw new Error(`it ended without being ready:\n${log.join('\n')}`);
      return line.replace('Coverdesk is ready at ', '');
    },
    async stop() {
      // Unlike SIGTERM, which lets reverse proxies notice it for two seconds.
      child.kill('SIGINT');
      return ended;
    },
    async killAll() {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}

function collectLines(input: NodeJS.ReadableStream | null): [lines: string[], read: Promise<unknown>] {
  const lines: string[] = [];
  if (!input) return [lines, Promise.resolve()];
  const reader = createInterface({ input }).on('line', (line) => lines.push(line));
  return [lines, once(reader, 'close')];
}

/** The product with its embedded database, as `npm start` runs it. */
export type Product = {
  url: string;
  dataDir: string;
  process: ProductProcess;
  /** The email and password of the first superadmin. */
  login: { email: string; password: string };
  /** The first superadmin, signed in. */
  admin: Session;
  /** Stops it gracefully, and removes the data folder unless the caller created it. */
  stop(): Promise<void>;
};

/** @param sources the entries of the sources file; the sandbox by default */
export async function startProduct(
  options: { dataDir?: string; sources?: object[]; env?: Record<string, string> } = {},
): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-product-'));
  const { dataDir = join(folder, 'data'), sources, env } = options;
  const sourcesFile = join(folder, 'sources.json');
  if (sources) await writeFile(sourcesFile, JSON.stringify({ sources }));
  const login = { email: 'admin@localhost', password: 'a long enough one' };
  const product = startProcess('start', {
    DATA_DIR: dataDir,
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    LOG_LEVEL: 'warn',
    ...(sources && { SOURCES_FILE: sourcesFile }),
    ...env,
  });
  const url = await product.ready();
  const admin = await signInAs(url, login.email, login.password);
  return {
    url,
    dataDir,
    process: product,
    login,
    admin,
    async stop() {
      await product.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
