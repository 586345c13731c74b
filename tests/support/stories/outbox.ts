import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { waitFor } from '#tests/support/wait.ts';
import { readStage } from './stage.ts';

/** Returns the link of the newest mail to an address, and waits for it: mail may come after the call's answer. */
export function readNewestLink(to: string): Promise<string> {
  return waitFor(`a mail with a link to ${to}`, () => findNewestLink(to));
}

async function findNewestLink(to: string): Promise<string | undefined> {
  const folder = join(readStage().dataDir, 'outbox');
  // The first mail creates the folder.
  const files = await readdir(folder).catch(() => []);
  // A file that is still being written has another name.
  const names = files
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse();
  for (const name of names) {
    const mail = await PostalMime.parse(await readFile(join(folder, name)));
    const link = /https?:\S+\/(?:reset-password|invitation)\/[\w-]+/.exec(mail.text ?? '')?.[0];
    if (link && mail.to?.some((recipient) => recipient.address === to)) return link;
  }
  return undefined;
}
