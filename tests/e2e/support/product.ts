import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bringUpToDate, buildWeb, compileTexts } from '../../../scripts/run/build.mjs';
import { saveStage } from './stage.ts';

const main = fileURLToPath(new URL('../../../src/app/main.ts', import.meta.url));

/**
 * Builds the web app where that is needed and starts the whole product on a data folder of its own, before the first
 * browser test. @returns what stops it and takes the folder away
 */
export default async function startProduct(): Promise<() => Promise<void>> {
  await bringUpToDate(compileTexts);
  await bringUpToDate(buildWeb);
  const dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-e2e-'));
  const admin = { email: 'admin@localhost', password: randomBytes(9).toString('base64url') };
  const product = spawn(process.execPath, [main, 'start'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      // Tests sign in and fail to on purpose, from one address.
      LOGIN_ATTEMPTS: '1000',
      LOG_LEVEL: 'warn',
    },
    // The channel ends the product should this process be killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(product, 'exit');
  const url = await Promise.race([
    readUrl(product.stdout),
    ended.then(() => Promise.reject(new Error('the product did not start'))),
  ]);
  saveStage({ url, admin });
  return async () => {
    product.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function readUrl(output: NodeJS.ReadableStream | null): Promise<string> {
  if (!output) throw new Error('no output');
  for await (const line of createInterface(output)) {
    const url = /^Coverdesk is ready at (http:\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('the product never said that it is ready');
}
