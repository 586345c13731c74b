import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#server/runtime/config.ts';
import { readOrMakeSecret } from './secret.ts';

type KeyConfig = Pick<Config, 'DATA_DIR' | 'SECRETS_KEY' | 'SECRETS_KEY_OLD'>;

const name = 'secrets-key';
const oldFileOf = (folder: string) => join(folder, `${name}-old`);

/** Gives this process and its children the key that seals stored secrets: SECRETS_KEY, or the one in DATA_DIR. */
export async function provideSecretsKey({ DATA_DIR: folder, ...given }: KeyConfig): Promise<void> {
  const { env } = process;
  env.SECRETS_KEY = given.SECRETS_KEY ?? (await readOrMakeSecret(folder, name));
  // Left behind where making a new key was interrupted.
  const left = given.SECRETS_KEY ? '' : await readFile(oldFileOf(folder), 'utf8').catch(() => '');
  env.SECRETS_KEY_OLD = given.SECRETS_KEY_OLD ?? left;
}

/** Returns whether DATA_DIR has a key, or the former one that an interrupted change left. */
export async function hasKey(folder: string): Promise<boolean> {
  const files = await Promise.allSettled([access(join(folder, name)), access(oldFileOf(folder))]);
  return files.some(({ status }) => status === 'fulfilled');
}

/** Puts a new key into DATA_DIR; the former stays beside it until `forgetOldKey`, so that a crash loses no secret. */
export async function makeNewKey(folder: string): Promise<void> {
  const left = await readFile(oldFileOf(folder), 'utf8').catch(() => '');
  // A change that was interrupted goes on where it stood.
  if (left) return;
  const old = await readOrMakeSecret(folder, name);
  await writeFile(oldFileOf(folder), old, { mode: 0o600, flush: true });
  await rm(join(folder, name));
  await readOrMakeSecret(folder, name);
}

export async function forgetOldKey(folder: string): Promise<void> {
  await rm(oldFileOf(folder), { force: true });
}
