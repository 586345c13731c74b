import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getSystemErrorName } from 'node:util';

/**
 * The account that PostgreSQL's programs run as. `null`: this process's own. PostgreSQL refuses root, so root
 * hands over to another account; `crossing` names the capability that lets that account reach files below
 * folders which only root may enter (`null` when none is needed).
 */
export type Account = { uid: number; gid: number; crossing: string | null } | null;

/** What a finished program answered; `output` is both of its streams. */
export type Finished = { code: number | null; output: string };

const nobody = 65_534;

/** What a program needs to be found, to load its libraries and to start. */
const passedOn = /^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH|DYLD_\w+)$/;

/**
 * Chooses the account for a database folder.
 * @param owner uid and gid of the folder when it exists: a cluster keeps its owner from start to start
 */
export function chooseAccount(owner: { uid: number; gid: number } | null): Account {
  if (process.getuid?.() !== 0) return null;
  if (owner && owner.uid !== 0) return { ...owner, crossing: null };
  return { uid: nobody, gid: nobody, crossing: null };
}

/** Whether the account may enter a folder, or run a program, by the permissions of every folder above it too. */
export function canReach(account: Account, path: string): boolean {
  if (!account) return true;
  const { uid, gid } = account;
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { uid, gid, cwd: '/' }).status === 0;
}

/**
 * The same account with the one capability that crosses closed folders, or `null` where that is not possible
 * (not Linux, no setpriv, or a container that gives root neither capability).
 */
export function crossClosedFolders(account: Account): Account {
  if (!account || process.platform !== 'linux') return null;
  const held = BigInt(`0x${/^CapBnd:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`);
  // Bits of linux/capability.h. The first only reads; containers often leave root nothing but the second.
  const crossing = held & (1n << 2n) ? 'dac_read_search' : held & (1n << 1n) ? 'dac_override' : null;
  if (!crossing || spawnSync('setpriv', ['--version']).status !== 0) return null;
  return { ...account, crossing };
}

/** Runs one of PostgreSQL's programs to its end. It starts in `/`, since the current folder may be closed to it. */
export function run(account: Account, program: string, args: string[]): Promise<Finished> {
  const [command, commandArgs, options] = commandFor(account, program, args);
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: string) => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => reject(new Error(`${program} cannot be run: ${reasonOf(error)}`)));
    child.on('close', (code) => resolve({ code, output: output.trim() }));
  });
}

function commandFor(account: Account, program: string, args: string[]): [string, string[], SpawnOptions] {
  // Nothing else of the product's environment, which has secrets, is the database's business.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.test(name)));
  const options: SpawnOptions = {
    cwd: '/',
    env: { ...env, LC_ALL: 'C', TZ: 'UTC' },
    detached: true,
  };
  if (!account) return [program, args, options];
  const { uid, gid, crossing } = account;
  if (!crossing) return [program, args, { ...options, uid, gid }];
  const only = `-all,+${crossing}`;
  // no_setuid_fixup: access(2), by which PostgreSQL checks its own files, otherwise ignores the capability.
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
