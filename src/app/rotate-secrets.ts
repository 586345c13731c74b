import { openDb } from '#server/open-db.ts';
import { openDatabase } from './database.ts';
import type { ProductOptions } from './product.ts';
import { resealSecrets } from './reseal-secrets.ts';
import { forgetOldKey, makeNewKey, provideSecretsKey } from './secrets-key.ts';

/**
 * Seals every stored secret by a new key: SECRETS_KEY beside SECRETS_KEY_OLD, or else one that is generated into
 * DATA_DIR and takes the place of the former there.
 */
export async function rotateSecrets({ config, log, stop, print }: ProductOptions): Promise<void> {
  const databaseUrl = await openDatabase(config, log, stop);
  if (!config.SECRETS_KEY) await makeNewKey(config.DATA_DIR);
  await provideSecretsKey(config);
  const db = openDb(databaseUrl, log, 2);
  try {
    print(`${await resealSecrets(db)} stored secrets were sealed by the new key`);
  } finally {
    await db.end();
  }
  if (!config.SECRETS_KEY) await forgetOldKey(config.DATA_DIR);
  else if (config.SECRETS_KEY_OLD) print('SECRETS_KEY_OLD is needed no more');
  stop.request('gently');
}
