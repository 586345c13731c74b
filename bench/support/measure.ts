import type { TestApi } from '../../tests/support/api/api.ts';
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

/** Returns the CPU seconds that this process uses for some work. */
export async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Sends a call. @throws Error unless it succeeds */
export async function sendCall(api: TestApi, call: string, sent: Parameters<TestApi['send']>[1]) {
  const answer = await api.send(call, sent);
  if (answer.statusCode >= 300) throw new Error(`${call}: ${answer.statusCode} ${answer.body}`);
  return answer;
}
