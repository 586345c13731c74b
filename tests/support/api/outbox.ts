import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { waitFor } from '#tests/support/wait.ts';
import type { TestApi } from './api.ts';

/** Waits for the newest mail to an address. Mails are sent after their calls were answered. */
export function waitForMail({ context }: TestApi, address: string): Promise<Email> {
  const outbox = join(context.config.DATA_DIR, 'outbox');
  return waitFor(`a mail to ${address}`, async () => {
    // The folder comes with the first mail.
    const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'));
    for (const name of names.sort().reverse()) {
      const mail = await PostalMime.parse(await readFile(join(outbox, name)));
      if (mail.to?.some((recipient) => recipient.address === address)) return mail;
    }
    return undefined;
  });
}
