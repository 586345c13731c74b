import { readFile } from 'node:fs/promises';

/** The unit of CPU times in /proc, in seconds. */
const tick = 0.01;

/** Returns the CPU seconds of some processes and all their threads; undefined if /proc does not have them. */
export async function readCpuSeconds(pids: number[]): Promise<number | undefined> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) return undefined;
    // Fields start after the name in brackets, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * tick;
}
