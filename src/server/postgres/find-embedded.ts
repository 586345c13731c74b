import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findHome } from './cluster.ts';
import { findPostmaster } from './postmaster.ts';

/** Returns the connection string of the embedded database that runs in a data folder; null if none accepts connections. */
export async function findEmbeddedUrl(dataDir: string): Promise<string | null> {
  const home = await findHome(dataDir).catch(() => null);
  if (home === null) return null;
  const running = await findPostmaster(join(home, 'cluster'));
  if (running?.state !== 'ready') return null;
  const password = (await readFile(join(home, 'password'), 'utf8')).trim();
  return `postgres://coverdesk:${password}@127.0.0.1:${running.port}/coverdesk`;
}
