import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestApi } from '../../tests/support/api/api.ts';
import { readCpuSeconds, readParent } from '../../tests/support/product/process-tree.ts';
import { median } from './bench.ts';

type Measurement = () => Promise<number>;

/** Measures the product and a peer in turn (A B A B), so that other load of the machine affects both. @returns the medians */
export async function compare(
  rounds: number,
  ours: Measurement,
  theirs: Measurement,
): Promise<{ measured: number; reference: number }> {
  const figures: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    figures[0].push(await ours());
    figures[1].push(await theirs());
  }
  return { measured: median(figures[0]), reference: median(figures[1]) };
}

/** Returns the milliseconds that some work takes. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Asks each question several times, after one round that is not measured. @returns the times in milliseconds */
export async function timeAll(
  ask: (question: string) => Promise<unknown>,
  questions: readonly string[],
  rounds: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const question of questions) {
      const ms = await timeMs(() => ask(question));
      if (round > 0) times.push(ms);
    }
  }
  return times;
}

/** Returns the CPU seconds that this process uses for some work. */
export async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Returns a function that reads the CPU seconds of a process and of the database server, with all their descendants. */
export async function watchCpu(api: TestApi, pid: number): Promise<() => Promise<number>> {
  const { rows } = await api.context.db.query<{ backend: number }>('SELECT pg_backend_pid() AS backend');
  const server = await readParent(rows[0]?.backend ?? 0);
  return () => readCpuSeconds([pid, server]);
}

/** Runs a module of this folder in a process of its own. @returns the message that it sends */
export async function runModule<T>(module: string, args: (string | number)[]): Promise<T> {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), args.map(String));
  const ended = once(child, 'exit');
  const [figures] = await Promise.race([once(child, 'message'), ended]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${module} ended with ${code}`);
  return figures;
}

/** Sends a call. @throws Error unless it succeeds */
export async function sendCall(api: TestApi, call: string, sent: Parameters<TestApi['send']>[1]) {
  const answer = await api.send(call, sent);
  if (answer.statusCode >= 300) throw new Error(`${call}: ${answer.statusCode} ${answer.body}`);
  return answer;
}
