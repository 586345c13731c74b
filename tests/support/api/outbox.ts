import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { waitFor } from '#tests/support/wait.ts';
import type { TestApi } from './api.ts';

/** Waits for the newest mail to an address, and returns the token of its link. */
export async function waitForLink(api: TestApi, address: string): Promise<string> {
  const { text } = await waitForMail(api, address);
  return /https?:\S+\/([\w-]+)/.exec(text ?? '')?.[1] ?? assert.fail('no link in the mail');
}

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

/** Reads and empties the outbox: the mails by their receivers' addresses. */
export async function takeMails({ context }: TestApi): Promise<Email[]> {
  const outbox = join(context.config.DATA_DIR, 'outbox');
  const names = await readdir(outbox).catch(() => []);
  const mails = await Promise.all(
    names.map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
  );
  for (const name of names) await rm(join(outbox, name));
  return mails.toSorted((a, b) => (a.to?.[0]?.address ?? '').localeCompare(b.to?.[0]?.address ?? ''));
}
