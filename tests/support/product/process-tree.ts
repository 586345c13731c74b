import { readFile } from 'node:fs/promises';

// All of this reads /proc, which only Linux has.

/** The unit of CPU times in /proc, in seconds. */
const tick = 0.01;

/** Returns the ids of a process and all its descendants. */
export async function listTree(pid: number): Promise<number[]> {
  const below = (await read(pid, `task/${pid}/children`)).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(below.map(listTree))).flat()];
}

/** Returns the id of the process that started a process. */
export async function readParent(pid: number): Promise<number> {
  return Number(/^PPid:\s+(\d+)$/m.exec(await read(pid, 'status'))?.[1]);
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

/** Returns the proportional set size (PSS) of a process in MB. */
export async function readProportionalMb(pid: number): Promise<number> {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(await read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
}

/** Returns the resident memory in MB of a process and its descendants whose command line has a word. */
export async function readResidentMb(pid: number, word: string): Promise<number> {
  let kilobytes = 0;
  for (const each of await listTree(pid)) {
    if (!(await read(each, 'cmdline')).includes(word)) continue;
    kilobytes += Number(/^VmRSS:\s+(\d+) kB$/m.exec(await read(each, 'status'))?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

/**
 * Returns the CPU seconds of some processes and all their threads; undefined if /proc does not have them.
 * @param ended whether those of their ended child processes count, too
 */
export async function readCpuSeconds(pids: number[], ended = false): Promise<number | undefined> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await read(pid, 'stat');
    if (stat === '') return undefined;
    // Fields start after the name in brackets, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    for (const field of fields.slice(11, ended ? 15 : 13)) ticks += Number(field);
  }
  return ticks * tick;
}

/** Returns a file of a process in /proc; an empty text if there is none. */
function read(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
