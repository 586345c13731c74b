import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../src/server/runtime/free-port.ts';

const run = promisify(execFile);

/** A Redis server for one measurement. */
export type Redis = { port: number; stop(): Promise<void> };

/** Starts Redis for BullMQ. Installs it with apt if needed, because npm has no package of it. @returns the problem if that fails */
export async function startRedis(): Promise<Redis | string> {
  try {
    import.meta.resolve('bullmq');
  } catch {
    return 'it is not installed (npm ci --prefix bench)';
  }
  try {
    await run('redis-server', ['--version']).catch(() =>
      run('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-server']),
    );
  } catch {
    return 'there is no redis-server, and it cannot be installed here';
  }
  const port = await findFreePort('127.0.0.1');
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
    port,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}
