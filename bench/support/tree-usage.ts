import { readCpuSeconds } from './cpu-time.ts';
import { listTree, readProportionalMb } from './process-tree.ts';

const everyMs = 1000;

/** What a stretch of work took, of this process and all below it; Linux alone tells processor and memory. */
export type Usage = { wallSeconds: number; cpuSeconds: number; peakMb: number };

/** Watches this process and all below it from now on. @returns what ends that, and tells what it saw */
export function watchTree(): () => Promise<Usage> {
  const began = performance.now();
  /** By process: what it had used when it was first and last seen. What began later had used nothing. */
  const seen = new Map<number, { first: number; last: number }>();
  let peakMb = 0;
  const look = async (isFirst: boolean) => {
    const pids = await listTree(process.pid);
    for (const pid of pids) {
      const used = await readCpuSeconds([pid]);
      if (used !== undefined)
        seen.set(pid, { first: seen.get(pid)?.first ?? (isFirst ? used : 0), last: used });
    }
    const memory = await Promise.all(pids.map(readProportionalMb));
    peakMb = Math.max(
      peakMb,
      memory.reduce((sum, mb) => sum + mb, 0),
    );
  };
  let looking = look(true);
  const timer = setInterval(() => {
    looking = looking.then(() => look(false));
  }, everyMs);
  const end = async () => {
    clearInterval(timer);
    await looking;
    await look(false);
    const cpuSeconds = [...seen.values()].reduce((sum, { first, last }) => sum + last - first, 0);
    return { wallSeconds: (performance.now() - began) / 1000, cpuSeconds, peakMb };
  };
  let ended: Promise<Usage> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
}
