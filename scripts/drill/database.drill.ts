import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { signalTree } from '#tests/support/product/process-tree.ts';
import type { Drill } from './drill.ts';
import { type DrilledProduct, onProduct } from './drilled-product.ts';

const rows = 3000;
/** Maximum response time of /health/live while the database is down, frozen or silent. */
const liveWithinMs = 2000;

/** Injects a fault into the database during lookups. */
function drillDatabase(inject: (product: DrilledProduct) => Promise<void>): Promise<string> {
  return onProduct({}, async (product) => {
    const ticket = await product.upload(rows);
    await product.untilDone(ticket, rows / 10);
    await inject(product);
    await expectLive(product);
    const seconds = await product.untilCompleted(ticket);
    const calls = Object.values((await product.upstream.report()).calls);
    const again = calls.reduce((sum, times) => sum + times, 0) - rows;
    return `${rows} rows completed ${seconds.toFixed(0)} s later, ${again} asked twice`;
  });
}

async function expectLive(product: DrilledProduct): Promise<void> {
  const live = await product.liveAnswer();
  assert.ok(live < liveWithinMs, `health/live took ${Math.round(live)} ms`);
}

const signalDatabase = (signal: NodeJS.Signals) => async (product: DrilledProduct) => {
  process.kill(await product.databasePid(), signal);
};

const databaseKilled: Drill = {
  title: 'The database is killed (`kill -9`)',
  run: () => drillDatabase(signalDatabase('SIGKILL')),
};

const databaseRestarted: Drill = {
  title: 'The database shuts down at once (SIGINT)',
  run: () => drillDatabase(signalDatabase('SIGINT')),
};

const databaseFrozen: Drill = {
  title: 'The database is frozen for 30 s',
  run: () =>
    drillDatabase(async (product) => {
      const postmaster = await product.databasePid();
      await signalTree(postmaster, 'SIGSTOP');
      try {
        await delay(15_000);
        await expectLive(product);
        await delay(15_000);
      } finally {
        await signalTree(postmaster, 'SIGCONT');
      }
    }),
};

export const drills = { databaseKilled, databaseRestarted, databaseFrozen };
