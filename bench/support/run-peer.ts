import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { peakMegabytes } from '../../tests/support/peak-memory.ts';

/** The CPU seconds and the peak memory of a peer. */
export type PeerUsage = { cpu: number; megabytes: number };

/** Runs a module of this folder in a process of its own. @returns the message that it sends */
export async function runPeer<T>(module: string, args: (string | number)[]): Promise<T> {
  const child = fork(join(import.meta.dirname, module), args.map(String));
  const ended = once(child, 'exit');
  const [figures] = await Promise.race([once(child, 'message'), ended]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${module} ended with ${code}`);
  return figures;
}

/** Runs the work of a peer's process, and sends what it used. Its start is not counted. */
export async function sendUsage(work: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  process.send?.({ cpu: (user + system) / 1e6, megabytes: peakMegabytes() } satisfies PeerUsage);
  process.disconnect();
}
