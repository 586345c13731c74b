import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from '#server/runtime/is-alive.ts';

/** The server process of a cluster. A stopping server may wait for its clients without a limit. */
export type Postmaster = { pid: number; port: number; state: 'starting' | 'ready' | 'stopping' };

/** Finds the running server of a cluster, named as in its command line; null without one. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const lines = await readPidFile(cluster);
  const pid = Number(lines[0]);
  if (!isProcess(pid) || !(await runsOn(pid, cluster))) return null;
  return { pid, port: Number(lines[3] ?? 0), state: stateOf(lines) };
}

/** Returns whether the running server of a cluster stops. Cheap enough to be asked every second. */
export async function isStopping(cluster: string): Promise<boolean> {
  return stateOf(await readPidFile(cluster)) === 'stopping';
}

/**
 * Removes the pid file of a killed server if its pid belongs to another process now, because PostgreSQL would mistake that
 * process for a server. Call it only while holding the folder's lock, because a running server shuts down when its pid file
 * is gone.
 */
export async function removeForeignPidFile(cluster: string): Promise<void> {
  const pid = Number((await readPidFile(cluster))[0]);
  if (isProcess(pid) && !(await runsOn(pid, cluster))) await rm(pidFileOf(cluster), { force: true });
}

const pidFileOf = (cluster: string) => join(cluster, 'postmaster.pid');

async function readPidFile(cluster: string): Promise<string[]> {
  return (await readFile(pidFileOf(cluster), 'utf8').catch(() => '')).split('\n');
}

function stateOf(pidFile: string[]): Postmaster['state'] {
  const state = pidFile[7]?.trim();
  return state === 'ready' || state === 'stopping' ? state : 'starting';
}

function isProcess(pid: number): boolean {
  return Number.isInteger(pid) && pid > 0 && isAlive(pid);
}

/** Returns whether a process is a server of this cluster, by its command line (empty for a zombie process). */
async function runsOn(pid: number, cluster: string): Promise<boolean> {
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
          .then((ps) => ps.stdout)
          .catch(() => '');
  return command.includes('postgres') && command.includes(cluster);
}
