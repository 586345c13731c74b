import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { waitFor } from '#tests/support/wait.ts';
import { readStage } from './stage.ts';

/** Returns the link of the newest mail to an address, and waits for it: mail may come after the call's answer. */
export function readNewestLink(to: string): Promise<string> {
  return waitFor(`a mail with a link to ${to}`, () =>
    findNewest(to, ({ text }) => /https?:\S+\/(?:reset-password|invitation)\/[\w-]+/.exec(text ?? '')?.[0]),
  );
}

/** Returns the newest mail to an address whose subject begins so, once it is there. */
export function readNewestMail(to: string, subject: string): Promise<Email> {
  const find = () => findNewest(to, (mail) => (mail.subject?.startsWith(subject) ? mail : undefined));
  // Mails about tickets are made once a minute.
  return waitFor(`the mail "${subject}" to ${to}`, find);
}

/** Finds what `read` finds in the newest mail to an address that has it. */
async function findNewest<T>(to: string, read: (mail: Email) => T | undefined): Promise<T | undefined> {
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
    const found = mail.to?.some((recipient) => recipient.address === to) ? read(mail) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
