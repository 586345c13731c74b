import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '#tests/support/database/database.ts';
import {
  importTicket,
  makeSerials,
  waitUntilCompleted,
  waitUntilDone,
} from '#tests/support/lookups/tickets.ts';
import { prepareWorkers } from '#tests/support/lookups/worker-processes.ts';
import { peakPerSecond, startUpstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import type { Drill } from './drill.ts';

const perSecond = 50;

/** Freezes one of two workers that share a limit `times` times, and checks the rate of the calls that arrive. */
async function freezeWorker(rows: number, times: number, frozenMs: number): Promise<string> {
  const [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  await upstream.setLatency(30);
  const entry = upstreamEntry(upstream, { limits: { per_second: perSecond } });
  const workers = await prepareWorkers(database.url, [entry]);
  try {
    const id = await importTicket(database.pool, makeSerials('WORK', rows));
    const [frozen] = await Promise.all([workers.start(), workers.start()]);
    await waitUntilDone(database.pool, id, rows / 10);
    const began = performance.now();
    for (let time = 0; time < times; time++) {
      process.kill(frozen.pid, 'SIGSTOP');
      await delay(frozenMs);
      process.kill(frozen.pid, 'SIGCONT');
      await delay(3000);
    }
    const { done, failed } = await waitUntilCompleted(database.pool, id, 300_000);
    const seconds = (performance.now() - began) / 1000;
    assert.deepEqual({ done, failed }, { done: rows, failed: 0 });
    const { starts, earliest, calls } = await upstream.report();
    const peak = peakPerSecond(starts, earliest);
    assert.ok(peak <= perSecond, `${peak} calls arrived within one second, of ${perSecond} allowed`);
    const again = Object.values(calls).reduce((sum, times) => sum + times, 0) - rows;
    return `completed ${seconds.toFixed(0)} s later, at most ${peak} of ${perSecond} calls a second, ${again} asked twice`;
  } finally {
    await workers.close();
    await upstream.close();
    await database.close();
  }
}

const workerFrozen: Drill = {
  title: 'One of two workers is frozen for 60 s',
  run: () => freezeWorker(6000, 1, 60_000),
};

const workerFrozenOften: Drill = {
  title: 'One of two workers is frozen for 20 s, ten times',
  run: () => freezeWorker(14_000, 10, 20_000),
};

export const drills = { workerFrozen, workerFrozenOften };
