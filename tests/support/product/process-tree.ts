import { readFile, writeFile } from 'node:fs/promises';

// All of this reads /proc, which only Linux has.

/** The unit of CPU times in /proc, in seconds. */
const tick = 0.01;

/** Returns the ids of a process and all its descendants. */
export async function listTree(pid: number): Promise<number[]> {
  const below = (await read(pid, `task/${pid}/children`)).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(below.map(listTree))).flat()];
}

/** Sends a signal to a process and all its descendants that still run. */
export async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  for (const each of await listTree(pid)) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

/** Returns the name of a process's script, or its program. */
export async function readCommand(pid: number): Promise<string> {
  const words = (await read(pid, 'cmdline')).split('\0');
  return words.find((word) => /\.m?[jt]s$/.test(word))?.replace(/^.*\//, '') ?? words[0] ?? '';
}

/** Returns the proportional set size (PSS) of processes and all their descendants in MB. */
export function readProportionalMb(pids: number[]): Promise<number> {
  return sumMb(pids, 'smaps_rollup', 'Pss');
}

/** Returns the memory of a process and its descendants in MB that is neither of files nor shared. */
export function readOwnMb(pid: number): Promise<number> {
  return sumMb([pid], 'smaps_rollup', 'Pss_Anon');
}

/**
 * Returns the CPU seconds of processes and all their descendants: of all threads, and of children that ended and were
 * waited for.
 */
export async function readCpuSeconds(pids: number[]): Promise<number> {
  let ticks = 0;
  for (const pid of await listTrees(pids)) ticks += sumTicks(await read(pid, 'stat'));
  return ticks * tick;
}

/** Returns utime, stime, cutime and cstime of a stat file of /proc; 0 for an empty one. */
export function sumTicks(stat: string): number {
  // Fields start after the name in brackets, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** Returns the sum of the peak memory of a process and of each of its descendants, in MB. */
export function readPeakMb(pid: number): Promise<number> {
  return sumMb([pid], 'status', 'VmHWM');
}

/** Lets the peak memory of a process and of its descendants begin anew. */
export async function resetPeak(pid: number): Promise<void> {
  for (const each of await listTree(pid)) await writeFile(`/proc/${each}/clear_refs`, '5').catch(() => {});
}

/** Returns the sum of a field of a file in /proc of processes and all their descendants, in MB. */
async function sumMb(pids: number[], file: string, field: string): Promise<number> {
  const form = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm');
  let kilobytes = 0;
  for (const pid of await listTrees(pids)) kilobytes += Number(form.exec(await read(pid, file))?.[1] ?? 0);
  return kilobytes / 1024;
}

async function listTrees(pids: number[]): Promise<Set<number>> {
  return new Set((await Promise.all(pids.map(listTree))).flat());
}

/** Returns a file of a process in /proc; an empty text if there is none. */
function read(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
