import { execFile as execute } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '#server/runtime/free-port.ts';
import { listTree, readCommand, signalTree } from '#tests/support/product/process-tree.ts';
import { waitFor } from '#tests/support/wait.ts';

const execFile = promisify(execute);
const debian = '/usr/lib/postgresql';

/** The reason why a machine cannot make a replica: the embedded server has no pg_basebackup. */
export const noPrograms = `${debian} has no pg_basebackup: install Debian's postgresql`;

/** A PostgreSQL server of Debian's programs. */
export type ServerOnDisk = {
  folder: string;
  port: number;
  url: string;
  start(): Promise<void>;
  promote(): Promise<void>;
  /** Kills the server with all its processes, as a power cut does. */
  kill(): Promise<void>;
};

/** A primary and its streaming replica, which does not delay commits. */
export type StreamingPair = { primary: ServerOnDisk; replica: ServerOnDisk; stop(): Promise<void> };

/** Starts a primary and its replica. @returns undefined without Debian's programs */
export async function startStreamingPair(): Promise<StreamingPair | undefined> {
  const programs = await findPrograms();
  if (!programs) return;
  const { uid, gid, run } = programs;
  const scratch = await mkdtemp(join(tmpdir(), 'coverdesk-replica-'));
  await chown(scratch, uid, gid);
  const server = async (name: string): Promise<ServerOnDisk> => {
    const folder = join(scratch, name);
    const port = await findFreePort('127.0.0.1');
    return {
      folder,
      port,
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      start: () =>
        run('pg_ctl', [
          ...['start', '-w', '-D', folder, '-l', `${folder}.log`],
          ...['-o', `-p ${port} -h 127.0.0.1 -k ${scratch}`],
        ]).catch(async (cause: Error) => {
          throw new Error(`${name}: ${await readFile(`${folder}.log`, 'utf8')}`, { cause });
        }),
      promote: () => run('pg_ctl', ['promote', '-w', '-D', folder]),
      kill: () => kill([join(folder, 'postmaster.pid'), join(scratch, `.s.PGSQL.${port}.lock`)]),
    };
  };
  const primary = await server('primary');
  await run('initdb', ['-D', primary.folder, '-U', 'postgres', '-A', 'trust', '--no-sync']);
  await primary.start();
  const replica = await server('replica');
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
  await run('pg_basebackup', [...from, '-D', replica.folder, '-R', '-c', 'fast', '--no-sync']);
  await replica.start();
  return {
    primary,
    replica,
    async stop() {
      for (const one of [primary, replica]) await one.kill();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

type Programs = { uid: number; gid: number; run(program: string, args: string[]): Promise<void> };

/** Finds Debian's programs, and the account that may run them. */
async function findPrograms(): Promise<Programs | undefined> {
  const versions = await readdir(debian).catch(() => []);
  const [newest] = versions.sort((a, b) => Number(b) - Number(a));
  if (!newest) return;
  const isRoot = process.getuid?.() === 0;
  const idOf = async (flag: string) =>
    Number((await execFile('id', isRoot ? [flag, 'postgres'] : [flag])).stdout);
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  const run = async (program: string, args: string[]) => {
    await execFile(join(debian, newest, 'bin', program), args, { uid, gid, cwd: '/' });
  };
  return { uid, gid, run };
}

/** Kills the server that a file names, and removes its lock files, whose process number counts until nothing has it. */
async function kill([pidFile, ...otherLocks]: [string, ...string[]]): Promise<void> {
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  // A server that is stopped starts no more processes, which would survive it and refuse the next start.
  process.kill(pid, 'SIGSTOP');
  const processes = await listTree(pid);
  await signalTree(pid, 'SIGKILL');
  const commands = () => Promise.all(processes.map(readCommand));
  await waitFor('the processes of the server to end', async () => (await commands()).every((one) => !one));
  for (const file of [pidFile, ...otherLocks]) await rm(file, { force: true });
}
