import { readFile } from 'node:fs/promises';

/** A process and all below it; Linux alone tells. */
export async function listTree(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const below = children.trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(below.map(listTree))).flat()];
}

/** The memory of a process in MB, of what it shares with others its part (PSS). */
export async function readProportionalMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** What a process was started as, short: its script or its program. */
export async function readCommand(pid: number): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  return words.find((word) => /\.m?[jt]s$/.test(word))?.replace(/^.*\//, '') ?? words[0] ?? '';
}
