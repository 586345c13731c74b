import { readFile } from 'node:fs/promises';

/** Returns the ids of a process and all its descendants. Linux only. */
export async function listTree(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const below = children.trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(below.map(listTree))).flat()];
}

/** Returns the proportional set size (PSS) of a process in MB. */
export async function readProportionalMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** Returns the name of a process's script, or its program. */
export async function readCommand(pid: number): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  return words.find((word) => /\.m?[jt]s$/.test(word))?.replace(/^.*\//, '') ?? words[0] ?? '';
}
