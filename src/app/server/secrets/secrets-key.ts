import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#server/runtime/config.ts';
import { exists } from '#server/runtime/exists.ts';
import { Vault } from '#server/vault/vault.ts';
import { readOrCreateSecret } from './secret.ts';

type KeyConfig = Pick<Config, 'DATA_DIR' | 'SECRETS_KEY' | 'SECRETS_KEY_OLD'>;

const name = 'secrets-key';
const oldName = 'secrets-key-old';
const oldFileOf = (folder: string) => join(folder, oldName);

/** Sets SECRETS_KEY and SECRETS_KEY_OLD for this process and its children, from the configuration or DATA_DIR. */
export async function provideSecretsKey({ DATA_DIR: folder, ...config }: KeyConfig): Promise<void> {
  const { env } = process;
  env.SECRETS_KEY = config.SECRETS_KEY ?? (await readOrCreateSecret(folder, name));
  // Exists after an interrupted rotation.
  const oldKeyFromFile = config.SECRETS_KEY ? '' : await readFile(oldFileOf(folder), 'utf8').catch(() => '');
  env.SECRETS_KEY_OLD = config.SECRETS_KEY_OLD ?? oldKeyFromFile;
}

/** Returns whether DATA_DIR has a key, or the old key of an interrupted rotation. */
export async function hasKey(folder: string): Promise<boolean> {
  return (await exists(join(folder, name))) || (await exists(oldFileOf(folder)));
}

/** Creates a new key in DATA_DIR. The old key stays in use until `retireOldKey`, so that a crash loses no secret. */
export async function createKey(folder: string): Promise<void> {
  const old = await readOrCreateSecret(folder, name);
  await readOrCreateSecret(folder, oldName, () => old);
  await rm(join(folder, name));
  await readOrCreateSecret(folder, name);
}

/**
 * Renames the file of the old key to `secrets-key-ID`, with the key's id. The product no longer reads it, but earlier
 * backups need the key.
 * @returns the file, if there is an old key
 */
export async function retireOldKey(folder: string): Promise<string | undefined> {
  const oldFile = oldFileOf(folder);
  if (!(await exists(oldFile))) return undefined;
  const file = join(folder, `${name}-${new Vault(await readFile(oldFile, 'utf8')).keyId}`);
  await rename(oldFile, file);
  return file;
}
