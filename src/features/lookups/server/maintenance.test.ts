import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { pino } from 'pino';
import { makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { startMaintenance } from './maintenance.ts';

test('a worker stops although its last figures cannot be added, and logs that', async () => {
  const lines: string[] = [];
  const sourceQueue = makeSourceQueue('first');
  sourceQueue.callCounter.record('found', 10, null);
  const maintenance = startMaintenance({
    pool: { connect: () => Promise.reject(new Error('no connection')) } as unknown as pg.Pool,
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    batchTracker: { drop: () => undefined, giveBackOutranked: () => undefined, resumeDue: () => undefined },
    listHeldJobs: () => [],
    sourceQueues: [sourceQueue],
    cacheHours: 1,
  });
  await maintenance.stop();
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['the last figures could not be added'],
  );
});
