import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildMessage } from '#app/server/processes/child.ts';
import type { Context } from '#server/runtime/context.ts';
import { findFreePort } from '#server/runtime/free-port.ts';
import { findBuilt } from '#tests/support/product/built-server.ts';
import { startNginx } from '#tests/support/product/nginx.ts';
import { type SendRequest, sendTo } from './send-to-address.ts';
import type { ClockMessage } from './settable-clock.ts';

/** The variable that makes API tests send their requests to two API processes behind nginx. */
export const twoProcessesVariable = 'COVERDESK_TEST_TWO_PROCESSES';

const settableClock = fileURLToPath(new URL('./settable-clock.ts', import.meta.url));

/** Two API processes on one database, behind nginx, which sends each request to the other process. */
export type TwoProcesses = {
  send: SendRequest;
  close(): Promise<void>;
  /** Sets the clock of both API processes. Requests wait for it. */
  setClock(instant: Date | undefined): void;
};

/**
 * @param env the configuration of the test
 * @param context the context of the test's own API, whose database and keys they share
 */
export async function startTwoProcesses(
  env: Record<string, string>,
  { config, databaseUrl, jwtSecret, publicUrl }: Context,
): Promise<TwoProcesses> {
  const secondFolder = await mkdtemp(join(tmpdir(), 'coverdesk-second-'));
  // Each has a folder of its own. Only the mails that they send are read in one place.
  await mkdir(join(config.DATA_DIR, 'outbox'));
  await mkdir(join(config.DATA_DIR, 'uploads'));
  await symlink(join(config.DATA_DIR, 'outbox'), join(secondFolder, 'outbox'));
  const shared = {
    ...process.env,
    // Without the test runner's variables, which would make a process report as a test.
    NODE_TEST_CONTEXT: undefined,
    NODE_OPTIONS: undefined,
    LOG_LEVEL: 'fatal',
    TRUST_PROXY: '127.0.0.1',
    ...env,
    DATABASE_URL: databaseUrl,
    JWT_SECRET: jwtSecret,
    PUBLIC_URL: publicUrl,
  };
  const ports = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const folders = [config.DATA_DIR, secondFolder];
  const module = await findBuilt('api-process.js');
  const apis = ports.map((port, index) =>
    fork(module, {
      execArgv: ['--import', settableClock],
      env: { ...shared, PORT: String(port), DATA_DIR: folders[index] },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  await Promise.all(apis.map(untilReady));
  const nginx = await startNginx(ports.map((port) => `http://127.0.0.1:${port}`));
  const sending = sendTo(nginx);
  let clockSet: Promise<unknown> = Promise.resolve();
  return {
    async send(call, send) {
      await clockSet;
      return sending.send(call, send);
    },
    setClock(instant) {
      const message: ClockMessage = { type: 'clock', instant: instant?.getTime() ?? null };
      clockSet = Promise.all(
        apis.map(async (api) => {
          api.send(message);
          await once(api, 'message');
        }),
      );
    },
    async close() {
      await sending.close();
      await nginx.stop();
      await Promise.all(
        apis.map(async (child) => {
          child.send({ type: 'drain', isReplaced: false });
          await once(child, 'exit');
        }),
      );
      await rm(secondFolder, { recursive: true });
    },
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit').then(() => [{ type: 'failed', reason: 'it ended', final: false }]);
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [ChildMessage];
  if (message.type === 'failed') throw new Error(`a process did not start: ${message.reason}`);
}
