import { readFile } from 'node:fs/promises';

/** A tick of the kernel's clock of CPU time, in seconds. */
const tick = 0.01;

/** The CPU seconds that some processes have used so far, all their threads; undefined where the system does not tell. */
export async function readCpuSeconds(pids: number[]): Promise<number | undefined> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) return undefined;
    // After the name in brackets, which may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * tick;
}
