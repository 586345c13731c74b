import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A database server that runs on a cluster: `ready` once it says so itself, `busy` while it starts or stops. */
export type Postmaster = { pid: number; port: number; state: 'ready' | 'busy' };

/**
 * The living server of a cluster, or null. A pid file that a killed server left behind is removed when its pid
 * belongs to another process by now, which PostgreSQL itself would take for a living server.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const file = join(cluster, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (!isAlive(pid)) return null;
  if (!(await runsOn(pid, cluster))) {
    await rm(file, { force: true });
    return null;
  }
  return { pid, port: Number(lines[3] ?? 0), state: lines[7]?.trim() === 'ready' ? 'ready' : 'busy' };
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process is a server of this cluster, by its command line (empty for one that is dead but not reaped). */
async function runsOn(pid: number, cluster: string): Promise<boolean> {
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
          .then((ps) => ps.stdout)
          .catch(() => '');
  return command.includes('postgres') && command.includes(cluster);
}
