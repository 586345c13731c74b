import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveStage } from '#tests/e2e/support/stage.ts';
import { type ProductProcess, startProcess } from '#tests/support/product-process.ts';

/** The product on a data folder of its own, started as people start it. */
export type Product = {
  /** Starts it again with another pace of its sandbox. */
  restart(perSecond: number): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the product; the support of the browser tests then finds it. */
export async function startProduct(perSecond: number): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-gallery-'));
  const password = randomBytes(9).toString('base64url');
  let product = await startIn(folder, password, perSecond);
  return {
    async restart(pace) {
      await product.stop();
      product = await startIn(folder, password, pace);
    },
    async stop() {
      await product.stop();
      await rm(folder, { recursive: true, force: true });
      for (const line of product.log) console.error(line);
    },
  };
}

async function startIn(folder: string, password: string, perSecond: number): Promise<ProductProcess> {
  const file = join(folder, 'sources.json');
  await writeFile(file, JSON.stringify({ sources: makeSources(perSecond) }));
  const admin = { email: 'admin@coverdesk.example', password };
  const dataDir = join(folder, 'data');
  const product = startProcess('start', {
    DATA_DIR: dataDir,
    SOURCES_FILE: file,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOGIN_ATTEMPTS: '1000',
    LOG_LEVEL: 'warn',
  });
  saveStage({ url: await product.ready(), admin, dataDir });
  return product;
}

/** The company's own list, then the sandbox, then a service that is not enabled. */
function makeSources(perSecond: number): object[] {
  return [
    { name: 'own', label: 'Own warranty list', kind: 'registry' },
    {
      name: 'sandbox',
      label: 'Sandbox',
      kind: 'sandbox',
      limits: { per_second: perSecond, concurrency: 32 },
    },
    {
      name: 'partner',
      label: 'Partner check',
      kind: 'http',
      enabled: false,
      request: { method: 'GET', url: 'https://partner.example/devices/{serial}' },
      fields: { type: 'body.model' },
    },
  ];
}
