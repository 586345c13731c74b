import { listTree, readCpuSeconds, readProportionalMb } from '../../tests/support/product/process-tree.ts';

const everyMs = 1000;

/** The resources used by this process and its descendants. CPU and memory are measured on Linux only. */
export type Usage = { wallSeconds: number; cpuSeconds: number; peakMb: number };

/** Starts to measure this process and its descendants. @returns a function that ends it and resolves with the usage */
export function watchTree(): () => Promise<Usage> {
  const began = performance.now();
  /** CPU seconds by process at its first and last sample. A process that started later counts from 0. */
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
