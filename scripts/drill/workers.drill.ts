import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { startRelay } from '#tests/support/database/relay.ts';
import { importTicket, readTicket } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcess } from '#tests/support/lookups/worker-processes.ts';
import {
  peakPerSecond,
  startUpstream,
  type Upstream,
  upstreamEntry,
} from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { Drill } from './drill.ts';

const perSecond = 50;

type Drilled = { upstream: Upstream; frozen: WorkerProcess; silence: () => void };

/** Does something to one of two workers that share a limit, and counts the calls that arrive. */
async function drillWorkers(rows: number, harm: (drilled: Drilled) => Promise<void>): Promise<string> {
  const [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  const relay = await startRelay(database.url);
  await upstream.setLatency(30);
  const entry = upstreamEntry(upstream, { limits: { per_second: perSecond } });
  const steady = await prepareWorkers(database.url, [entry]);
  const troubled = await prepareWorkers(relay.url, [entry]);
  try {
    const serials = Array.from({ length: rows }, (_, n) => `WORK${String(n).padStart(6, '0')}`);
    const id = await importTicket(database.pool, serials);
    const [, frozen] = await Promise.all([steady.start(), troubled.start()]);
    const ticket = () => readTicket(database.pool, id);
    await waitFor('some rows to be done', async () => ((await ticket())?.done ?? 0) > rows / 10);
    const began = performance.now();
    await harm({ upstream, frozen, silence: () => relay.silence() });
    await waitFor(
      'the ticket to be completed',
      async () => (await ticket())?.status === 'Completed',
      300_000,
    );
    const seconds = (performance.now() - began) / 1000;
    const { done, failed } = (await ticket()) ?? {};
    assert.deepEqual({ done, failed }, { done: rows, failed: 0 });
    const { starts, earliest, calls } = await upstream.report();
    const peak = peakPerSecond(starts, earliest);
    assert.ok(peak <= perSecond, `${peak} calls arrived within one second, of ${perSecond} allowed`);
    const again = Object.values(calls).reduce((sum, times) => sum + times, 0) - rows;
    return `completed ${seconds.toFixed(0)} s later, at most ${peak} of ${perSecond} calls in any second, ${again} asked twice`;
  } finally {
    await Promise.all([steady.close(), troubled.close()]);
    await Promise.all([relay.close(), upstream.close()]);
    await database.close();
  }
}

const workerFrozen: Drill = {
  title: 'One of two workers is frozen for 60 s',
  run: () =>
    drillWorkers(6000, async ({ frozen }) => {
      process.kill(frozen.pid, 'SIGSTOP');
      await delay(60_000);
      process.kill(frozen.pid, 'SIGCONT');
    }),
};

const workerFrozenOften: Drill = {
  title: 'One of two workers is frozen for 20 s, ten times',
  run: () =>
    drillWorkers(14_000, async ({ frozen }) => {
      for (let round = 0; round < 10; round++) {
        process.kill(frozen.pid, 'SIGSTOP');
        await delay(20_000);
        process.kill(frozen.pid, 'SIGCONT');
        await delay(3000);
      }
    }),
};

const networkCut: Drill = {
  title: 'The network between a worker and the database falls silent',
  run: () => drillWorkers(4000, async ({ silence }) => silence()),
};

export const drills = { workerFrozen, workerFrozenOften, networkCut };
