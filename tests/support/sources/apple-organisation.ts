import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadlines, openDb } from '#server/db/connection/open-db.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { type AppleDevice, type AppleStandIn, appleAccount, startAppleStandIn } from './apple-stand-in.ts';
import { openSource, type SourceByCell } from './open-source.ts';
import { trustedAuthority } from './trusted-authority.ts';

/** An organisation with seven devices at a stand-in for Apple's service, and a database for its workers. */
export type Organisation = {
  apple: AppleStandIn;
  database: TestDatabase;
  /** The folder of keys. */
  folder: string;
  /** Opens the source as one worker does. */
  open(more?: object): Promise<SourceByCell>;
  close(): Promise<void>;
};

/** Creates a device with the serial `F17XK1ABC0` and `n`. The second one has two IMEIs, the third one a MEID. */
export function makeAppleDevice(n: number): AppleDevice {
  return {
    id: `D${n}`,
    attributes: {
      serialNumber: `F17XK1ABC0${n}`,
      deviceModel: 'iPhone 15',
      orderDateTime: '2025-01-15T08:00:00Z',
      imei: n === 2 ? ['35 390110 234567 7', '354817664998779'] : [],
      meid: n === 3 ? ['a10000009296f2'] : [],
    },
    coverage: [
      {
        status: 'ACTIVE',
        paymentType: 'NONE',
        description: 'Limited Warranty',
        startDateTime: '2025-01-15T00:00:00Z',
        endDateTime: '2026-01-14T00:00:00Z',
        isCanceled: false,
        contractCancelDateTime: null,
      },
    ],
  };
}

/** The coverage of each of these devices. */
export const appleDeviceFound = {
  is: 'found',
  coverage: {
    type: 'iPhone 15',
    activation_status: null,
    purchase_date: '2025-01-15',
    warranty_title: 'Limited Warranty',
    coverage_start_date: '2025-01-15',
    coverage_end_date: '2026-01-14',
  },
};

export async function startOrganisation(): Promise<Organisation> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-apple-'));
  await writeFile(join(folder, 'key.pem'), keys.privateKey.export({ type: 'sec1', format: 'pem' }));
  const database = await createTestDatabase();
  const db = openDb(database.url, createLog('test', 'silent'), 8, deadlines.lookups);
  const apple = await startAppleStandIn(publicKey, trustedAuthority.issue('apple'));
  // Three pages of three.
  for (let n = 1; n <= 7; n++) apple.devices.push(makeAppleDevice(n));
  return {
    apple,
    database,
    folder,
    open: (more = {}) =>
      openSource(
        {
          name: 'apple',
          kind: 'apple-business',
          base_url: apple.url,
          token_url: `${apple.url}/auth/oauth2/v2/token`,
          private_key: join(folder, 'key.pem'),
          ...appleAccount,
          ...more,
        },
        db,
      ),
    async close() {
      await apple.close();
      await db.end();
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}
