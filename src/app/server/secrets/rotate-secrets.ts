import { join } from 'node:path';
import { withDb } from '#server/db/connection/open-db.ts';
import type { Db } from '#server/db/db.ts';
import { type Registration, registerProcess } from '#server/processes/process-registration.ts';
import type { Config } from '#server/runtime/config.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { findVault } from '#server/vault/vault.ts';
import { requireDatabase } from '../backup/backup-commands.ts';
import { openDatabase } from '../database.ts';
import type { ProductOptions } from '../processes/command-options.ts';
import { requireOpenableSecrets, resealSecrets } from './reseal-secrets.ts';
import { createKey, hasKey, provideSecretsKey, retireOldKey } from './secrets-key.ts';

/**
 * Seals every stored secret with a new key: SECRETS_KEY if it is set, otherwise a generated key that replaces the one in
 * DATA_DIR.
 */
export async function rotateSecrets({ config, log, stop, print }: ProductOptions): Promise<void> {
  await requireDatabase(config);
  await requireKey(config);
  const databaseUrl = await openDatabase(config, log, stop);
  await withDb(databaseUrl, log, async (db) => {
    await provideSecretsKey(config);
    await requireOpenableSecrets(db);
    const registration = await registerRotation(db, { config, log, stop });
    try {
      if (!config.SECRETS_KEY) {
        // Finishes a rotation that was interrupted.
        await resealSecrets(db);
        await retireOldKey(config.DATA_DIR);
        await createKey(config.DATA_DIR);
        await provideSecretsKey(config);
      }
      print(`${await resealSecrets(db)} stored secrets were sealed by the new key`);
    } finally {
      await registration.end();
    }
  });
  if (!config.SECRETS_KEY) {
    const oldFile = await retireOldKey(config.DATA_DIR);
    print(`Keep a copy of ${join(config.DATA_DIR, 'secrets-key')} in another place`);
    print(`Backups made before need the old key: keep ${oldFile} as long as them`);
  } else if (config.SECRETS_KEY_OLD) {
    print('Unset SECRETS_KEY_OLD. Backups made before need that key: keep it as long as them');
  }
  stop.request('gently');
}

/**
 * Checks that DATA_DIR has a key, so that a mistyped folder is not treated as a new product.
 * @throws StartError
 */
async function requireKey({ DATA_DIR: folder, SECRETS_KEY }: Config): Promise<void> {
  if (SECRETS_KEY || (await hasKey(folder))) return;
  throw new StartError(`DATA_DIR takes the folder of a product: there is no secrets-key in ${folder}`);
}

/**
 * Registers the rotation, so that no process without the new key runs or starts until it ends: it could not open the
 * newly sealed secrets.
 * @throws SettingsError if such a process is running
 */
function registerRotation(
  db: Db,
  { config, log, stop }: Pick<ProductOptions, 'config' | 'log' | 'stop'>,
): Promise<Registration> {
  // A generated key differs from the key of every other process.
  const key = config.SECRETS_KEY ? findVault().keyId : '';
  const settings = { kind: 'rotation' as const, sources: [], fingerprints: { SECRETS_KEY: key } };
  return registerProcess({ db, log, settings, abort: (reason) => stop.fail(reason) });
}
