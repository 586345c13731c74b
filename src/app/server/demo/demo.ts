import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser, findAnyStandardUser } from '#features/accounts/server/accounts.service.ts';
import { createCompany, findAnyCompanyCode } from '#features/clients/server/clients.service.ts';
import type { Db } from '#server/db/db.ts';
import type { ProductOptions } from '../processes/command-options.ts';
import { startProduct } from '../processes/product.ts';
import { readOrCreateSecret } from '../secrets/secret.ts';
import { writeSample } from './demo-sample.ts';

type Accounts = Record<'superadmin' | 'user', { email: string; password: string }>;

/** Starts the product with two accounts to sign in with and a workbook to upload. */
export async function startDemo(options: ProductOptions): Promise<void> {
  const { config, print } = options;
  const folder = config.DATA_DIR;
  const prepare = async (db: Db) => {
    await makeUser(db, accounts.user);
    const sample = join(folder, 'sample.xlsx');
    await access(sample).catch(() => writeSample(sample));
    print(`Superadmin: ${accounts.superadmin.email} / ${accounts.superadmin.password}`);
    print(`User: ${accounts.user.email} / ${accounts.user.password}`);
    print(`Sample: ${sample}`);
  };
  const accounts = await readOrMakeAccounts(folder, config.ADMIN_EMAIL, config.ADMIN_PASSWORD);
  const { email, password } = accounts.superadmin;
  await startProduct({
    ...options,
    config: { ...config, ADMIN_EMAIL: email, ADMIN_PASSWORD: password },
    prepare,
  });
}

/** Reads the demo's accounts, or generates them. They are written to disk before they are used. */
async function readOrMakeAccounts(
  folder: string,
  adminEmail: string,
  adminPassword?: string,
): Promise<Accounts> {
  const generate = () => randomBytes(12).toString('base64url');
  const make = (): Accounts => ({
    superadmin: { email: adminEmail, password: adminPassword ?? generate() },
    user: { email: 'user@localhost', password: generate() },
  });
  return JSON.parse(
    await readOrCreateSecret(folder, 'demo-accounts.json', () => `${JSON.stringify(make(), null, 2)}\n`),
  );
}

/** Creates the demo's company and user if the database has no standard user. */
async function makeUser(db: Db, { email, password }: Accounts['user']): Promise<void> {
  if (await findAnyStandardUser(db)) return;
  const companyCode =
    (await findAnyCompanyCode.first(db))?.company_code ??
    (await createCompany(db, null, { company_name: 'Demo Company' })).company_code;
  await createUser(db, {
    name: 'Demo User',
    email,
    password,
    superadmin: false,
    newUser: false,
    companyCode,
  });
}
