import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { readStage } from './stage.ts';

/** The reset link of the newest mail to an address, from the product's outbox. */
export async function readNewestLink(to: string): Promise<string> {
  const folder = join(readStage().dataDir, 'outbox');
  const names = (await readdir(folder)).sort().reverse();
  for (const name of names) {
    const mail = await PostalMime.parse(await readFile(join(folder, name)));
    const link = /https?:\S+\/reset-password\/[\w-]+/.exec(mail.text ?? '')?.[0];
    if (link && mail.to?.some((recipient) => recipient.address === to)) return link;
  }
  throw new Error(`no reset mail to ${to} in ${folder}`);
}
