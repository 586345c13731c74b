import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { buildServer } from './build.mjs';
import { compiled, inRoot } from './paths.mjs';
import { ownEnvironment } from './process.mjs';

const productEnvironment = {
  // What was compiled once, is not compiled again by any process of the product.
  NODE_COMPILE_CACHE: compiled,
  // The C library would give nearly each thread memory of its own to allocate from, which no collection gives back.
  MALLOC_ARENA_MAX: '2',
};

/**
 * Runs a module on this Node and ends as it ends. Signals become one message, so that a Ctrl-C, which
 * reaches every process of a terminal, still means one graceful stop. When npm is gone (killed, so that it could
 * pass nothing on) the product ends too.
 */
export function launch(node, module, args) {
  const isProduct = module === buildServer.made;
  // Its processes collect by themselves what only their start needed (src/app/free-memory.ts).
  const flags = isProduct ? ['--expose-gc'] : [];
  const child = spawn(node, [...flags, inRoot(module), ...args], {
    env: { ...(isProduct && productEnvironment), ...ownEnvironment() },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const tell = (message) => child.connected && child.send(message, () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tell({ type: 'stop' }));

  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) tell({ type: 'leave' });
  }, 500);
  if (!process.env.npm_lifecycle_event) clearInterval(watch);

  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
}
