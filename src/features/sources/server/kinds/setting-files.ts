import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '#server/runtime/config.ts';
import type { SourceEntry } from '../configuration/source-kind.ts';

/** Returns the error of a setting that shows only when the source is opened. */
export function settingError(entry: SourceEntry, setting: string, problem: string): ConfigError {
  return new ConfigError([`SOURCES_FILE ${entry.name}.${setting}: ${problem}`]);
}

/**
 * Reads a file that a setting names. A relative path starts where the product was started.
 * @throws ConfigError naming the source and the setting
 */
export async function readSettingFile(entry: SourceEntry, setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw settingError(entry, setting, `the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Returns the end of the first certificate in a PEM file. @throws Error if there is none */
export async function readCertificateEnd(path: string): Promise<Date> {
  return new X509Certificate(await readFile(path)).validToDate;
}

/**
 * Reads a client certificate, with its chain, and its key; both PEM without a passphrase.
 * @throws ConfigError naming the source and the setting, also if the two do not belong together
 */
export async function readClientCertificate(
  entry: SourceEntry,
  certPath: string,
  keyPath: string,
): Promise<{ cert: string; key: string }> {
  const cert = await readSettingFile(entry, 'client_cert', certPath);
  const key = await readSettingFile(entry, 'client_key', keyPath);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw settingError(
      entry,
      'client_key',
      `does not go with client_cert, or one of them is no PEM (${(error as Error).message})`,
    );
  }
  return { cert, key };
}
