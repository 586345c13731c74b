import { dirname, resolve } from 'node:path';
import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import { loadSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { requireMailServer } from '#server/mail/mail.ts';
import type { Config } from '#server/runtime/config.ts';
import { exists } from '#server/runtime/exists.ts';
import { readFreeBytes } from '#server/runtime/free-space.ts';
import { type Finding, finding } from './finding.ts';

const megabyte = 1024 * 1024;

/** Examines the room in DATA_DIR. */
export function examineDataDisk({ DATA_DIR, MIN_FREE_MB }: Config): Promise<Finding> {
  return examineDisk(DATA_DIR, MIN_FREE_MB, 'Uploads are refused');
}

/** Examines the room in BACKUP_DIR, which the first backup makes. */
export async function examineBackupDisk(folder: string, { MIN_FREE_MB }: Config): Promise<Finding> {
  const found = await findExisting(folder);
  const disk = await examineDisk(found, MIN_FREE_MB, 'Backups fail');
  return found === folder ? disk : { ...disk, text: `${disk.text}; ${folder} does not exist yet` };
}

/** @param consequence the advice to make room begins with it */
async function examineDisk(folder: string, minFreeMb: number, consequence: string): Promise<Finding> {
  const free = Math.floor((await readFreeBytes(folder)) / megabyte);
  const text = `${free} MB free in ${folder}`;
  const advice = `${consequence} below ${minFreeMb} MB (MIN_FREE_MB): make room.`;
  if (free >= 2 * minFreeMb) return finding('ok', 'disk', text);
  return finding(free < minFreeMb ? 'error' : 'warning', 'disk', text, advice);
}

/** Returns a folder, or the nearest one above it that exists: a backup makes the folders that are missing. */
async function findExisting(folder: string): Promise<string> {
  return (await exists(folder)) ? folder : findExisting(dirname(resolve(folder)));
}

/** Examines SOURCES_FILE and the files that it names. */
export async function examineSources(config: Config): Promise<Finding> {
  const sources = await loadSources(config, kinds, process.env);
  const enabled = sources.filter((source) => source.enabled);
  if (enabled.length === 0) {
    return finding(
      'warning',
      'sources',
      'none is enabled',
      'Enable one in SOURCES_FILE: until then no row is looked up.',
    );
  }
  for (const source of enabled) await source.requireFiles(createSecrets(process.env));
  return finding('ok', 'sources', enabled.map(({ name }) => name).join(', '));
}

/** Reaches the mail server and signs in there. */
export async function examineMail(config: Config): Promise<Finding> {
  const { SMTP_URL, DATA_DIR } = config;
  if (SMTP_URL === undefined) {
    return finding(
      'warning',
      'mail',
      `mails are files in ${DATA_DIR}/outbox`,
      'Set SMTP_URL and MAIL_FROM to send them.',
    );
  }
  await requireMailServer(SMTP_URL, config);
  return finding('ok', 'mail', `${new URL(SMTP_URL).hostname} answers`);
}
