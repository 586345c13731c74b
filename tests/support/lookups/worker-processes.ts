import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBuilt } from '#tests/support/product/built-server.ts';

/** A worker process of the built product. */
export type WorkerProcess = {
  pid: number;
  /** Kills it, as `kill -9` does. */
  kill(): Promise<void>;
  /** Drains it, as its supervisor does. */
  drain(): Promise<void>;
};

/** Starts worker processes on one database with one sources file; `close` ends them all. */
export type WorkerProcesses = {
  start(env?: Record<string, string>): Promise<WorkerProcess>;
  close(): Promise<void>;
};

export async function prepareWorkers(databaseUrl: string, sources: object[]): Promise<WorkerProcesses> {
  const module = await findBuilt('worker-process.js');
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-workers-'));
  const file = join(folder, 'sources.json');
  await writeFile(file, JSON.stringify({ sources }));
  const running = new Set<ChildProcess>();
  return {
    async start(env = {}) {
      const child = fork(module, {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: {
          ...process.env,
          DATABASE_URL: databaseUrl,
          SOURCES_FILE: file,
          LOG_LEVEL: 'error',
          DATA_DIR: folder,
          CACHE_HOURS: '0',
          ...env,
        },
      });
      running.add(child);
      const ended = once(child, 'exit').then(() => {
        running.delete(child);
        return [];
      });
      const [message] = (await Promise.race([once(child, 'message'), ended])) as [
        { type: string; reason?: string },
      ];
      if (message?.type !== 'ready') throw new Error(`the worker did not start: ${message?.reason}`);
      return {
        pid: child.pid ?? 0,
        async kill() {
          child.kill('SIGKILL');
          await ended;
        },
        async drain() {
          child.send({ type: 'drain' });
          await ended;
        },
      };
    },
    async close() {
      await Promise.all(
        [...running].map(async (child) => {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        }),
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
}
