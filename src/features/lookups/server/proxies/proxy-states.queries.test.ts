import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { openDb } from '#server/db/connection/open-db.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { storeProxySet } from '#tests/support/sources/proxies.ts';
import { renewPresence } from '../workers/workers.queries.ts';
import { createProxyLeases } from './proxy-leases.ts';

const poolSize = 30_000;
const limit = 20;

let database: TestDatabase;
/** A single connection, so that its statistics are complete. */
let pool: pg.Pool;
before(async () => {
  database = await createTestDatabase();
  pool = openDb(database.url, createLog('test', 'silent'), 1);
});
after(async () => {
  await pool.end();
  await database.close();
});

/** Returns the number of rows of proxies and their states read so far, from tables and indexes. */
async function countRowsRead(): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ read: number }>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname IN ('proxies', 'proxy_states'))
       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname IN ('proxies', 'proxy_states')) AS read`,
  );
  return Number(rows[0]?.read);
}

test('a round reads only as many rows as the worker may lease, with any number of resting proxies', async () => {
  const urls = Array.from({ length: poolSize }, (_, n) => `http://10.1.${n >> 8}.${n & 255}:80`);
  await storeProxySet(database.pool, 'large', urls);
  const worker = randomUUID();
  await renewPresence(database.pool, worker);
  const leases = createProxyLeases(pool, [{ name: 'first', limits: {} }], { limit });
  // These rounds read all proxies, because the pool has changed.
  for (let round = 0; round < 2; round++) await leases.update(worker, false);
  await database.pool.query(
    `INSERT INTO proxy_states (proxy, state, rest_until, rest_step)
     SELECT url, 'resting', now() + interval '20 minutes', 1 FROM proxies WHERE position > 100
     ON CONFLICT (proxy) DO UPDATE SET state = excluded.state, rest_until = excluded.rest_until`,
  );
  for (const wants of [true, true, false]) {
    const before = await countRowsRead();
    await leases.update(worker, wants);
    const read = (await countRowsRead()) - before;
    assert.equal(leases.pool.proxies.size, wants ? limit : 0);
    assert.ok(read < 20 * limit, `${read} rows read`);
  }
});
