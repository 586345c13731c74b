import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { createTestApi } from '#tests/support/api/api.ts';
import { findBuilt } from '#tests/support/product/built-server.ts';
import { waitFor } from '#tests/support/wait.ts';

const comers = 1000;
const patience = 30_000;

/** Returns the system's limit of the listen backlog; 0 where it is unknown. */
function maxBacklog(): number {
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

test('the API accepts a thousand simultaneous connections that arrive while it is busy', async (t) => {
  if (maxBacklog() <= comers) return t.skip('this system allows a shorter backlog');
  const api = await createTestApi();
  const { config, databaseUrl, jwtSecret, publicUrl } = api.context;
  const child = fork(await findBuilt('api-process.js'), {
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
  // A stopped process accepts no connection.
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
