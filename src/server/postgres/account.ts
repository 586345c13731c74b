import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getSystemErrorName } from 'node:util';
import { StartError } from '#server/runtime/start-error.ts';

/**
 * The account that PostgreSQL's programs run as; null for this process's own. PostgreSQL refuses to run as root, so root
 * uses another account. `crossing`: the capability that lets it reach files below folders that only root may enter; null
 * if none is needed.
 */
export type Account = { uid: number; gid: number; crossing: string | null } | null;

/** The result of a finished program; `output` is its stdout and stderr. */
export type ProgramResult = { code: number | null; output: string };

const nobody = 65_534;

/** The variables that a program needs to be found and to load its libraries. */
const passedVariables = /^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH|DYLD_\w+)$/;

/**
 * Chooses the account for a database folder.
 * @param owner the owner of the existing folder, which stays; null for a new one
 */
export function chooseAccount(owner: { uid: number; gid: number } | null): Account {
  if (process.getuid?.() !== 0) return null;
  if (owner && owner.uid !== 0) return { ...owner, crossing: null };
  return { uid: nobody, gid: nobody, crossing: null };
}

/** Returns whether the account may enter a folder or run a program, including the permissions of the folders above. */
export function canReach(account: Account, path: string): boolean {
  if (!account) return true;
  const { uid, gid } = account;
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { uid, gid, cwd: '/' }).status === 0;
}

/**
 * Returns the account with a capability that lets it enter closed folders. Returns null if that is impossible: not Linux,
 * no setpriv, or a container whose root has neither capability.
 */
export function crossClosedFolders(account: Account): Account {
  if (!account || process.platform !== 'linux') return null;
  const boundingSet = BigInt(
    `0x${/^CapBnd:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`,
  );
  // Bits of linux/capability.h. Prefers the capability that only reads, but many containers have only the other.
  const crossing =
    boundingSet & (1n << 2n) ? 'dac_read_search' : boundingSet & (1n << 1n) ? 'dac_override' : null;
  if (!crossing || spawnSync('setpriv', ['--version']).status !== 0) return null;
  return { ...account, crossing };
}

/** Runs one of PostgreSQL's programs to its end, in `/`, because it may not be allowed to enter the current folder. */
export function run(account: Account, program: string, args: string[]): Promise<ProgramResult> {
  const [command, commandArgs, options] = commandFor(account, program, args);
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: string) => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => reject(new StartError(`${program} cannot be run: ${reasonOf(error)}`)));
    child.on('close', (code) => resolve({ code, output: output.trim() }));
  });
}

function commandFor(account: Account, program: string, args: string[]): [string, string[], SpawnOptions] {
  // The rest of the environment contains secrets that PostgreSQL does not need.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedVariables.test(name)));
  const options: SpawnOptions = {
    cwd: '/',
    env: { ...env, LC_ALL: 'C', TZ: 'UTC' },
    detached: true,
  };
  if (!account) return [program, args, options];
  const { uid, gid, crossing } = account;
  if (!crossing) return [program, args, { ...options, uid, gid }];
  const only = `-all,+${crossing}`;
  // no_setuid_fixup: otherwise access(2), with which PostgreSQL checks its files, ignores the capability.
  const setpriv = [
    '--securebits=+no_setuid_fixup',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--bounding-set=${only}`,
    `--inh-caps=${only}`,
    `--ambient-caps=${only}`,
  ];
  return ['setpriv', [...setpriv, program, ...args], options];
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.errno === undefined ? error.message : getSystemErrorName(error.errno);
}
