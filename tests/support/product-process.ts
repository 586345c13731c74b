import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bringUpToDate, buildServer, buildWeb, compileTexts } from '../../scripts/run/build.mjs';
import { alone } from '../../scripts/run/lock.mjs';
import { compiled, inRoot } from '../../scripts/run/paths.mjs';
import { waitFor } from './wait.ts';

// The product is what `npm start` runs, made of the present sources.
await alone(async () => {
  for (const thing of [compileTexts, buildServer, buildWeb]) await bringUpToDate(thing);
});

/** A running command of the product, in a process group of its own. */
export type ProductProcess = {
  /** What it printed on standard output, a line each. */
  lines: string[];
  /** What it wrote to standard error, a line each. */
  log: string[];
  process: ChildProcess;
  /** Resolves with the exit code once it ended and both outputs are read. */
  ended: Promise<number | null>;
  /** The address of its ready line; fails when it ends instead. */
  ready(): Promise<string>;
  /** Asks for a graceful end. @returns the exit code */
  stop(): Promise<number | null>;
  /** Kills every process of it at once, as a power cut would; the embedded database lives on, as it does then. */
  killAll(): Promise<void>;
};

/** Starts `demo`, `start` or `worker` with exactly these variables, and one worker on a machine of any size. */
export function startProcess(command: string, env: Record<string, string>): ProductProcess {
  const child = spawn(process.execPath, [inRoot(buildServer.made), command], {
    // As `npm start` does, a compile cache: its processes and threads load hundreds of modules each.
    env: { PATH: process.env.PATH, PORT: '0', WORKERS: '1', NODE_COMPILE_CACHE: compiled, ...env },
    // The channel ends the product should the tests be killed; the group lets killAll reach every process.
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
      child.kill('SIGTERM');
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
