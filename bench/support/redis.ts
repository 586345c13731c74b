import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../.cache/bench-bullmq', import.meta.url));
const packages = ['bullmq@6.7.0', 'ioredis@5.8.2'];

/** BullMQ and a Redis of its own, for this measurement alone. */
export type BullmqStage = { folder: string; port: number; stop(): Promise<void> };

/**
 * Sets up what the product does not need: BullMQ in a folder of its own, and Redis, which is installed by apt where
 * that may be.
 * @returns why it cannot be had, where it cannot
 */
export async function prepareBullmq(): Promise<BullmqStage | string> {
  try {
    await run('redis-server', ['--version']).catch(() =>
      run('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-server']),
    );
  } catch {
    return 'there is no redis-server, and it cannot be installed here';
  }
  try {
    await mkdir(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
  } catch {
    return 'BullMQ cannot be installed here';
  }
  const port = await findFreePort();
  const data = await mkdtemp(join(tmpdir(), 'coverdesk-redis-'));
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', data, '--save', '', '--appendonly', 'yes'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise<void>((resolve) =>
    server.stdout.on('data', (chunk: Buffer) => chunk.includes('Ready to accept connections') && resolve()),
  );
  return {
    ...{ folder, port },
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
