import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { type DrilledProduct, startDrilledProduct } from './drilled-product.ts';

const rows = 3000;
/** Maximum response time of /health/live while the database is down, frozen or silent. */
const liveWithinMs = 2000;

/** Does something to the database in the middle of lookups. */
async function drillDatabase(harm: (product: DrilledProduct) => Promise<void>): Promise<string> {
  const product = await startDrilledProduct();
  try {
    const ticket = await product.upload(rows);
    await product.untilDone(ticket, rows / 10);
    await harm(product);
    const live = await product.liveAnswer();
    assert.ok(live < liveWithinMs, `health/live took ${Math.round(live)} ms`);
    const seconds = await product.untilCompleted(ticket);
    const calls = Object.values((await product.upstream.report()).calls);
    const again = calls.reduce((sum, times) => sum + times, 0) - rows;
    return `${rows} rows completed ${seconds.toFixed(0)} s later, ${again} asked twice, none counted twice`;
  } finally {
    await product.stop();
  }
}

const signalDatabase = (signal: NodeJS.Signals) => async (product: DrilledProduct) => {
  process.kill(await product.databasePid(), signal);
};

const databaseKilled: Drill = {
  title: 'The database is killed (`kill -9`) during lookups',
  run: () => drillDatabase(signalDatabase('SIGKILL')),
};

const databaseRestarted: Drill = {
  title: 'The database shuts down at once (SIGINT) during lookups',
  run: () => drillDatabase(signalDatabase('SIGINT')),
};

const databaseFrozen: Drill = {
  title: 'Every process of the database is frozen for 30 s during lookups',
  run: () =>
    drillDatabase(async (product) => {
      const postmaster = await product.databasePid();
      const family = await childrenOf(postmaster);
      for (const pid of [postmaster, ...family]) process.kill(pid, 'SIGSTOP');
      try {
        await delay(15_000);
        const live = await product.liveAnswer();
        assert.ok(live < liveWithinMs, `health/live took ${Math.round(live)} ms`);
        await delay(15_000);
      } finally {
        for (const pid of [postmaster, ...family]) process.kill(pid, 'SIGCONT');
      }
    }),
};

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

export const drills = { databaseKilled, databaseRestarted, databaseFrozen };
