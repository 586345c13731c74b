import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { callApi, makeStandardUser, type Session, signInAs } from '#tests/support/product/client.ts';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { waitFor } from '#tests/support/wait.ts';
import { externalPackages } from '../../../scripts/external-packages.ts';
import { inRoot } from '../../../scripts/run/paths.mjs';

// Runs the product from a folder with the files of the container's image alone, by an account that may only read them.

const login = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'a long enough one' };
const otherAccount = '65533';
let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let product: ProductProcess;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-image-'));
  database = await createEmptyDatabase();
  const image = join(folder, 'opt');
  copyImage(image);
  const data = join(folder, 'data');
  mkdirSync(data);
  chmodSync(folder, 0o755);
  chmodSync(data, 0o777);
  const run = [process.execPath, '--expose-gc', join(image, 'dist-server/main.js'), 'start'] as const;
  const asOther = `--reuid=${otherAccount} --regid=${otherAccount} --clear-groups`.split(' ');
  product = startProcess(
    'start',
    {
      ...login,
      DATA_DIR: data,
      DATABASE_URL: database.url,
      JWT_SECRET: 'a secret of the tests with 32 bytes or more',
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: '',
    },
    process.getuid?.() === 0 ? ['setpriv', ...asOther, ...run] : [...run],
  );
});
after(async () => {
  await product.stop();
  await database.close();
  await rm(folder, { recursive: true });
});

/** Copies what the Containerfile copies, and the packages that it installs. */
function copyImage(image: string): void {
  const lines = readFileSync(inRoot('deploy/Containerfile'), 'utf8');
  const copies = [...lines.matchAll(/^COPY --from=built \/opt\/coverdesk\/(\S+) (\S+)$/gm)];
  assert.ok(copies.length >= 5);
  for (const [, from = '', to = ''] of copies)
    cpSync(inRoot(from), join(image, to.endsWith('/') ? join(to, basename(from)) : to), { recursive: true });
  for (const path of packagesBelow(externalPackages))
    cpSync(inRoot(path), join(image, path), { recursive: true });
}

/** Returns the folders of packages and of all that they depend on, found as Node finds them. */
function packagesBelow(names: string[]): Set<string> {
  type Installed = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };
  const installed: Record<string, Installed> = JSON.parse(
    readFileSync(inRoot('node_modules/.package-lock.json'), 'utf8'),
  ).packages;
  const found = new Set<string>();
  const add = (name: string, from: string) => {
    const inside = `${from}/node_modules/${name}`;
    const path = from && installed[inside] ? inside : `node_modules/${name}`;
    const entry = installed[path];
    if (!entry || found.has(path)) return;
    found.add(path);
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(next, path);
  };
  for (const name of names) add(name, '');
  return found;
}

async function read(session: Session, path: string): Promise<string> {
  const response = await fetch(`${session.url}${path}`, {
    headers: { authorization: `Bearer ${session.token}` },
  });
  assert.equal(response.status, 200, path);
  return Buffer.from(await response.arrayBuffer()).toString('latin1');
}

test('the files of the image run the whole product by an account that may only read them', async () => {
  const url = await product.ready();
  const admin = await signInAs(url, login.ADMIN_EMAIL, login.ADMIN_PASSWORD);
  assert.match(await read(admin, '/login'), /<title>Coverdesk/);
  assert.match(await read(admin, '/api/docs/'), /swagger/i);
  assert.match(await read(admin, '/cli/coverdesk.mjs'), /^#!/);

  const user = await makeStandardUser(admin, 'Acme');
  const { ticket } = await callApi<{ ticket: { ticket_number: string } }>(user, 'POST', '/data/serials', {
    serials: ['353901102345677'],
  });
  const progress = `/tickets/progress?ticket_number=${ticket.ticket_number}`;
  await waitFor('the ticket to be completed', async () => {
    const { status } = await callApi<{ status: string }>(user, 'GET', progress);
    return status === 'Completed';
  });
  await callApi(admin, 'PUT', '/invoices/seller', {
    name: 'Coverdesk',
    address: '',
    tax_number: '',
    bank: '',
    ppn_percent: null,
  });
  const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' }).format(new Date()).slice(0, 7);
  const { _id } = await callApi<{ _id: string }>(admin, 'POST', '/invoices', {
    company_code: user.account.companyCode,
    month,
  });
  assert.match(await read(admin, `/api/invoices/${_id}/pdf?language=en`), /^%PDF-/);
});
