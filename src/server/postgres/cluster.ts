import { randomBytes } from 'node:crypto';
import {
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '#server/runtime/exists.ts';
import { isAlive } from '#server/runtime/is-alive.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { type Account, canReach, chooseAccount, crossClosedFolders, run } from './account.ts';
import { type Binaries, copyBinaries, findBinaries, isTaken, programOf } from './binaries.ts';

/** The name of the file with the superuser's password. */
export const superuserFile = 'superuser-password';

export class DataDirVersionError extends StartError {}

/** An embedded database on disk, and the inputs for running its server. */
export type Cluster = {
  home: string;
  folder: string;
  logFile: string;
  password: string;
  /** The superuser's password, which only the launcher uses. */
  superuserPassword: string;
  account: Account;
  binaries: Binaries;
};

/**
 * Opens the cluster below `dataDir/postgres`, or creates it. Safe against a kill at any moment and against concurrent
 * processes, because unfinished files have temporary names and are renamed when complete.
 */
export async function openCluster(dataDir: string): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const home = await findHome(dataDir);
  const plain = chooseAccount(await stat(home).catch(() => null));
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (plain) await chown(home, plain.uid, plain.gid);
  const { account, binaries } = await makeReachable(home, plain);
  const password = await readOrMakePassword(home, 'password', account);
  const superuserPassword = await readOrMakePassword(home, superuserFile, account);
  const folder = join(home, 'cluster');
  if (await exists(folder)) await checkVersion(folder, binaries);
  else await initCluster(home, folder, account, binaries);
  return { home, folder, logFile: join(home, 'server.log'), password, superuserPassword, account, binaries };
}

/**
 * Returns the folder of the embedded database below a data folder, without symbolic links, as the server knows it.
 * @throws the system's error if there is no data folder
 */
export async function findHome(dataDir: string): Promise<string> {
  return join(await realpath(dataDir), 'postgres');
}

async function makeReachable(
  home: string,
  plain: Account,
): Promise<{ account: Account; binaries: Binaries }> {
  const installed = await findBinaries();
  if (!canReach(plain, home)) {
    const account = crossClosedFolders(plain);
    if (account) return { account, binaries: installed };
    throw new StartError(
      `DATA_DIR lies below a folder that only root may enter, and PostgreSQL refuses to run as root: choose another DATA_DIR, start as another user, or set DATABASE_URL`,
    );
  }
  const reachable = canReach(plain, programOf(installed, 'postgres'));
  return { account: plain, binaries: reachable ? installed : await copyOnce(installed, home) };
}

async function copyOnce(installed: Binaries, home: string): Promise<Binaries> {
  const copied = { ...installed, native: join(home, `binaries-${installed.version}`) };
  return (await exists(copied.native)) ? copied : copyBinaries(installed, home);
}

/** @throws DataDirVersionError for files of another major version, which PostgreSQL does not read */
async function checkVersion(folder: string, { version }: Binaries): Promise<void> {
  const found = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  const own = version.split('.')[0];
  if (!found || found === own) return;
  throw new DataDirVersionError(
    `DATA_DIR holds a database of PostgreSQL ${found}, and this version of Coverdesk runs ${own}: start the version that made it, or restore a backup made by that version (npm run backup, npm run restore)`,
  );
}

/** Reads a password without the line break that an editor may have added, and makes it if its file is missing. */
async function readOrMakePassword(home: string, name: string, account: Account): Promise<string> {
  const file = join(home, name);
  if (!(await exists(file))) {
    const partial = `${file}.new-${process.pid}`;
    await writeFile(partial, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    if (account) await chown(partial, account.uid, account.gid);
    await link(partial, file).catch((error: unknown) => {
      if (!isTaken(error)) throw error;
    });
    await rm(partial);
  }
  const password = (await readFile(file, 'utf8')).trim();
  if (!password) throw new StartError(`${file} is empty: put the file back`);
  return password;
}

async function initCluster(
  home: string,
  folder: string,
  account: Account,
  binaries: Binaries,
): Promise<void> {
  for (const name of await readdir(home)) {
    const maker = /^cluster\.new-(\d+)$/.exec(name)?.[1];
    if (maker && (Number(maker) === process.pid || !isAlive(Number(maker))))
      await rm(join(home, name), { recursive: true, force: true });
  }
  const partial = `${folder}.new-${process.pid}`;
  const initResult = await run(account, programOf(binaries, 'initdb'), [
    `--pgdata=${partial}`,
    '--username=postgres',
    `--pwfile=${join(home, superuserFile)}`,
    '--auth=scram-sha-256',
    '--locale=C',
    '--encoding=UTF8',
    '--no-instructions',
  ]);
  if (initResult.code !== 0)
    throw new StartError(`The embedded PostgreSQL could not make its files: ${initResult.output}`);
  try {
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
}
