import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeStandardUser, type Session, signInAs } from '../../tests/support/client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const admin = { email: 'admin@localhost', password: 'a long enough one' };

/** The product as people start it, with a superadmin and a user who may upload. */
export type RealProduct = {
  url: string;
  /** The process that started all the others. */
  pid: number;
  admin: Session;
  user: Session;
  stop(): Promise<void>;
};

/** Runs `npm start` on a data folder of its own. @param env settings beside those */
export async function startRealProduct(env: Record<string, string> = {}): Promise<RealProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-bench-'));
  const { stop, ...product } = await runNpmStart(dataDir, env);
  const session = await signInAs(product.url, admin.email, admin.password);
  return {
    ...product,
    admin: session,
    user: await makeStandardUser(session, 'Bench'),
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs `npm start` on a data folder, which stays; returns once it says that it is ready. */
export async function runNpmStart(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Pick<RealProduct, 'url' | 'pid' | 'stop'>> {
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(npm, 'exit');
  const url = await readUrl(npm);
  return {
    url,
    pid: npm.pid ?? 0,
    async stop() {
      npm.kill('SIGTERM');
      await ended;
    },
  };
}

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('no output');
  for await (const line of createInterface({ input: stdout })) {
    const url = /^Coverdesk is ready at (http:\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('npm start ended without being ready');
}
