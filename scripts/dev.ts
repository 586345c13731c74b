// Runs the product during development. Vite serves the web app and updates changed modules in the browser; a change of the
// server, a migration or a text restarts the product. Its data stay in DATA_DIR, by default `data/dev`.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer } from 'vite';
import { bringUpToDate, compileTexts } from './run/build.mjs';
import { root } from './run/paths.mjs';

const apiPort = Number(process.env.API_PORT ?? 3000);
const webPort = Number(process.env.PORT ?? 5173);
/** One saved change arrives as several events. */
const settleMs = 200;

process.env.API_URL = `http://127.0.0.1:${apiPort}`;
const web = await createServer({ root, server: { port: webPort, strictPort: true } });
await web.listen();
let product = startProduct();
let stopping = false;

for (const folder of ['src', 'migrations', 'messages']) {
  watch(`${root}${folder}`, { recursive: true }, (_, name) => {
    if (name && concernsServer(`${folder}/${name}`)) restartSoon();
  });
}
for (const event of ['SIGINT', 'SIGTERM', 'disconnect', 'message'] as const) process.on(event, stop);
console.log(`\nThe web app, with every change: http://localhost:${webPort}\n`);

function concernsServer(path: string): boolean {
  return /\.(ts|sql|json)$/.test(path) && !/\.test\.ts$|\/web\/|\/texts\//.test(path);
}

function startProduct(): ChildProcess {
  return fork(`${root}src/app/server/main.ts`, ['demo'], {
    env: {
      ...process.env,
      DATA_DIR: process.env.DATA_DIR || './data/dev',
      PORT: String(apiPort),
      PUBLIC_URL: `http://localhost:${webPort}`,
    },
  });
}

async function endProduct(): Promise<void> {
  if (product.exitCode !== null || product.signalCode !== null) return;
  const ended = once(product, 'exit');
  product.send({ type: 'stop' }, () => undefined);
  await ended;
}

let timer: NodeJS.Timeout | undefined;
let restarting = Promise.resolve();

function restartSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    restarting = restarting.then(restart);
  }, settleMs);
}

async function restart(): Promise<void> {
  await endProduct();
  if (stopping) return;
  await bringUpToDate(compileTexts).catch((error: Error) => console.error(error.message));
  product = startProduct();
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  clearTimeout(timer);
  await restarting;
  await Promise.all([endProduct(), web.close()]);
  process.exit(0);
}
