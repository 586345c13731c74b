import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '#tests/support/product-process.ts';
import { saveStage } from './stage.ts';

/**
 * Starts the whole product on a data folder of its own, before the first browser test. @returns what stops it and takes the folder away
 */
export default async function startProduct(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-stories-'));
  const admin = { email: 'admin@localhost', password: randomBytes(9).toString('base64url') };
  const product = startProcess('start', {
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    // Tests sign in and fail to on purpose, from one address.
    LOGIN_ATTEMPTS: '1000',
    LOG_LEVEL: 'warn',
  });
  saveStage({ url: await product.ready(), admin, dataDir });
  return async () => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
    for (const line of product.log) console.error(line);
  };
}
