import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base } from '#tests/support/browser/test.ts';
import { callApi } from '#tests/support/product/client.ts';
import { type Product, startProduct } from '#tests/support/product/product-process.ts';

/** A product with sources of its own: a checking service on loopback, a list of the company's own, a template. */
export type OwnProduct = {
  url: string;
  token: string;
  /** The headers with the secret that the checking service received. */
  secrets: (string | undefined)[];
  /** Pauses the checking service as a source, so that rows wait, or resumes it. */
  setPaused(paused: boolean): Promise<void>;
};

const secret = `secret-${randomBytes(6).toString('hex')}`;

/** The checking service: knows IMEIs that end in an even digit. */
function startService(secrets: OwnProduct['secrets']) {
  const server = createServer((request, response) => {
    secrets.push(request.headers.authorization);
    const serial = request.url?.split('/').pop() ?? '';
    const known = Number(serial.at(-1)) % 2 === 0;
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
    const device = { product: 'iPhone 15', on: true, start: '2026-01-04', end: '2027-01-03' };
    response.end(JSON.stringify(known ? device : { error: 'no such device' }));
  });
  return new Promise<{ url: string; close(): void }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${port}`, close: () => server.close() });
    });
  });
}

function startOwnProduct(service: string): Promise<Product> {
  const request = {
    method: 'GET',
    url: `${service}/coverage/{serial}`,
    headers: { Authorization: 'Bearer ${SHOP_TOKEN}' },
  };
  const fields = {
    type: 'body.product',
    activation_status: "body.on ? 'activated' : null",
    coverage_start_date: 'body.start',
    coverage_end_date: 'body.end',
  };
  const limits = { per_second: 50, concurrency: 8 };
  const sources = [
    { name: 'own', label: 'Our own list', kind: 'registry' },
    { name: 'shop', label: 'Shop check', kind: 'http', accepts: ['imei'], request, fields, limits },
    { name: 'later', label: 'Later', kind: 'http', enabled: false, request, fields },
  ];
  return startProduct({ sources, env: { SHOP_TOKEN: secret } });
}

/** Tests against such a product; its superadmin is signed in. */
export const test = base.extend<object, { own: OwnProduct }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const secrets: OwnProduct['secrets'] = [];
      const service = await startService(secrets);
      const product = await startOwnProduct(service.url);
      await use({
        url: product.url,
        token: product.admin.token,
        secrets,
        setPaused: async (paused) => {
          await callApi(product.admin, 'POST', `/sources/shop/${paused ? 'pause' : 'resume'}`);
        },
      });
      await product.stop();
      service.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ own }, use) => use(own.url),
  page: async ({ page, own }, use) => {
    await page.addInitScript((token) => localStorage.setItem('token', token), own.token);
    await use(page);
  },
});

/** The secret of the checking service, as the environment gives it. */
export const sourceSecret = secret;
