import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestApi } from '#tests/support/api/api.ts';
import { waitFor } from '#tests/support/wait.ts';

const comers = 1000;
const patience = 30_000;

/** How many connections the system lets wait for one server at most; elsewhere than on Linux it is not told. */
function mostWaiting(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}

async function readAddress({ stderr }: ChildProcess): Promise<string> {
  assert.ok(stderr);
  for await (const line of createInterface({ input: stderr })) {
    const address = /listening at (http:[^"\s]+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('it ended without an address');
}

test('the API: a thousand connections that come at once, while it is busy, are let in', async (t) => {
  if (mostWaiting() <= comers) return t.skip('this system lets fewer connections wait');
  const api = await createTestApi();
  const { config, databaseUrl, jwtSecret, publicUrl } = api.context;
  const child = fork(fileURLToPath(new URL('./api-process.ts', import.meta.url)), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      JWT_SECRET: jwtSecret,
      PUBLIC_URL: publicUrl,
      DATA_DIR: config.DATA_DIR,
      PORT: '0',
      SECRETS_KEY: process.env.SECRETS_KEY,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  const url = new URL(await readAddress(child));
  child.stderr?.resume();
  // A process that stands still takes no connection from the system.
  child.kill('SIGSTOP');
  let connected = 0;
  const sockets = Array.from({ length: comers }, () =>
    connect(Number(url.port), url.hostname, () => {
      connected += 1;
    }).on('error', () => undefined),
  );
  try {
    await waitFor('all connections', async () => connected === comers, patience);
    child.kill('SIGCONT');
    assert.equal((await fetch(`${url.origin}/api/health/live`)).status, 200);
  } finally {
    child.kill('SIGCONT');
    for (const socket of sockets) socket.destroy();
    child.kill('SIGTERM');
    await ended;
    await api.close();
  }
});
