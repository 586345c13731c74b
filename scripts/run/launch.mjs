import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { buildServer } from './build.mjs';
import { compiled, inRoot } from './paths.mjs';
import { ownEnvironment } from './process.mjs';

const productEnvironment = {
  NODE_COMPILE_CACHE: compiled,
  // Otherwise the C library allocates from a separate arena for nearly each thread, and never returns that memory.
  MALLOC_ARENA_MAX: '2',
};
const startedBy = findStarters();

/**
 * Runs a module on this Node, and exits with its exit code. A signal becomes one message to the module, so that a Ctrl-C,
 * which reaches every process of a terminal, causes one graceful stop. The end of npm, or of the shell that npm runs its
 * scripts with, has the same effect: a SIGTERM to either of them does not reach this process.
 */
export function launch(node, module, args) {
  const isProduct = module === buildServer.made;
  // Its processes free the memory that only their start needed (src/app/server/processes/free-memory.ts).
  const flags = isProduct ? ['--expose-gc'] : [];
  const child = spawn(node, [...flags, inRoot(module), ...args], {
    env: { ...(isProduct && productEnvironment), ...ownEnvironment() },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C ends the product. After any other signal, a service may start a process that takes over.
  const stop = (isReplaced) => child.connected && child.send({ type: 'stop', isReplaced }, () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal === 'SIGTERM'));
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (findStarters() !== startedBy) stop(true);
    }, 500);
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
