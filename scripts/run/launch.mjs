import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { buildServer } from './build.mjs';
import { compiled, inRoot } from './paths.mjs';
import { ownEnvironment } from './process.mjs';

const productEnvironment = {
  NODE_COMPILE_CACHE: compiled,
  // The C library would give nearly each thread memory of its own to allocate from, which no collection gives back.
  MALLOC_ARENA_MAX: '2',
};
const startedBy = findStarters();

/**
 * Runs a module on this Node and ends as it ends. Signals become one message, so that a Ctrl-C, which
 * reaches every process of a terminal, still means one graceful stop. So does the end of npm, or of the shell that npm
 * runs its scripts with: a SIGTERM to either ends it without reaching this process.
 */
export function launch(node, module, args) {
  const isProduct = module === buildServer.made;
  // Its processes collect by themselves what only their start needed (src/app/server/processes/free-memory.ts).
  const flags = isProduct ? ['--expose-gc'] : [];
  const child = spawn(node, [...flags, inRoot(module), ...args], {
    env: { ...(isProduct && productEnvironment), ...ownEnvironment() },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C ends the product. Any other end may be that of a service whose next process takes over.
  const stop = (isReplaced) => child.connected && child.send({ type: 'stop', isReplaced }, () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal === 'SIGTERM'));
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (findStarters() !== startedBy) stop(true);
    }, 200);
  }

  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
}

/** Returns the process that started this one and, where that is npm's shell (dash stays, bash does not), npm's too. */
function findStarters() {
  const { ppid, env } = process;
  try {
    const isShell = readFileSync(`/proc/${ppid}/cmdline`, 'utf8').includes(env.npm_lifecycle_script);
    const npm = isShell && /^PPid:.*/m.exec(readFileSync(`/proc/${ppid}/status`, 'utf8'))[0];
    return `${ppid} ${npm}`;
  } catch {
    // Only Linux has /proc, and only its shells stay.
    return `${ppid}`;
  }
}
