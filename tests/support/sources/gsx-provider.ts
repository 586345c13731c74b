import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadlines, openDb } from '#server/db/connection/open-db.ts';
import { createLog } from '#server/runtime/log.ts';
import { findVault } from '#server/vault/vault.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import type { Authority } from './certificates.ts';
import { type GsxStandIn, gsxAccount, startGsxStandIn } from './gsx-stand-in.ts';
import { openSource, type SourceByCell } from './open-source.ts';
import { trustedAuthority } from './trusted-authority.ts';

/** The token that a person fetched for the provider. */
export const activationToken = 'c0ffee00-aaaa-4bbb-8ccc-000000000001';

/** The device that GSX knows. */
export const gsxImei = '353901102345677';

/** The outcome for this device. */
export const gsxDeviceFound = {
  is: 'found',
  coverage: {
    type: 'iPhone 15',
    activation_status: 'activated',
    purchase_date: '2026-01-10',
    warranty_title: 'Apple Limited Warranty',
    coverage_start_date: '2026-01-10',
    coverage_end_date: '2027-01-09',
  },
};

/** A service provider with an account at a stand-in for GSX, and a database for its workers. */
export type GsxProvider = {
  /** Replaced by `restart`. */
  gsx: GsxStandIn;
  database: TestDatabase;
  /** Holds certificates and keys. */
  folder: string;
  /** Starts another stand-in without a session, and deletes the stored session. */
  restart(serverAuthority?: Authority): Promise<void>;
  /** Opens the source as one worker does. */
  open(more?: object, env?: Record<string, string>): Promise<SourceByCell>;
  /** Reads the stored session token. */
  storedToken(): Promise<string>;
  /** Counts the token requests so far. */
  tokenCalls(): { body: string }[];
  close(): Promise<void>;
};

export async function startGsxProvider(): Promise<GsxProvider> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-gsx-'));
  const client = trustedAuthority.issue('gsx client');
  await writeFile(join(folder, 'client.pem'), client.cert);
  await writeFile(join(folder, 'client.key'), client.key);
  await writeFile(join(folder, 'other.key'), trustedAuthority.issue('gsx client').key);
  const database = await createTestDatabase();
  const db = openDb(database.url, createLog('test', 'silent'), 8, deadlines.lookups);
  const start = async (serverAuthority = trustedAuthority) => {
    const gsx = await startGsxStandIn(trustedAuthority, serverAuthority.issue('gsx'), activationToken);
    gsx.devices.set(gsxImei, {
      body: {
        device: {
          productDescription: 'iPhone 15',
          warrantyInfo: {
            warrantyStatusDescription: 'Apple Limited Warranty',
            purchaseDate: '2026-01-10',
            coverageStartDate: '2026-01-10',
            coverageEndDate: '2027-01-09',
          },
          activationDetails: { firstActivationDate: '2026-01-11' },
        },
      },
    });
    return gsx;
  };
  const provider: GsxProvider = {
    gsx: await start(),
    database,
    folder,
    async restart(serverAuthority) {
      await provider.gsx.close();
      await database.pool.query('TRUNCATE gsx_sessions');
      provider.gsx = await start(serverAuthority);
    },
    open: (more = {}, env = { GSX_ACTIVATION_TOKEN: activationToken }) =>
      openSource(
        {
          name: 'gsx',
          kind: 'gsx',
          base_url: provider.gsx.url,
          ...gsxAccount,
          client_cert: join(folder, 'client.pem'),
          client_key: join(folder, 'client.key'),
          activation_token: '${GSX_ACTIVATION_TOKEN}',
          ...more,
        },
        db,
        env,
      ),
    async storedToken() {
      const { rows } = await database.pool.query<{ token: string }>('SELECT token FROM gsx_sessions');
      const token = rows[0]?.token ?? '';
      if (!token.startsWith('sealed.')) throw new Error(`the stored token is not sealed: ${token}`);
      return findVault().open('token', token);
    },
    tokenCalls: () => provider.gsx.received.filter(({ path }) => path === '/api/authenticate/token'),
    async close() {
      await provider.gsx.close();
      await db.end();
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
  return provider;
}
