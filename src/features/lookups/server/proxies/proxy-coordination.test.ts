import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { pino } from 'pino';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { startProxyCoordination } from './proxy-coordination.ts';
import { createProxyLeases, type ProxyLeases } from './proxy-leases.ts';

test('a worker stores how its proxies turned out before it stops, and stops although that fails', async () => {
  const lines: string[] = [];
  const done: string[] = [];
  const pool = {} as pg.Pool;
  const leases: ProxyLeases = {
    ...createProxyLeases(pool, []),
    async update(worker, wants) {
      done.push(`update ${worker} ${wants}`);
      throw new Error('no connection');
    },
    reset: () => done.push('reset'),
  };
  const coordination = startProxyCoordination({
    pool,
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    sourceQueues: [makeSourceQueue('first')],
    leases,
    worker: 'one',
    wakeup: createWakeup(),
  });
  await coordination.stop();
  assert.deepEqual(done, ['update one false', 'reset']);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['proxy coordination failed'],
  );
});
