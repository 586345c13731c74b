import assert from 'node:assert/strict';
import pg from 'pg';
import { startRelay } from '#tests/support/database/relay.ts';
import {
  noPrograms,
  type ServerOnDisk,
  startStreamingPair,
} from '#tests/support/database/streaming-replica.ts';
import { waitFor } from '#tests/support/wait.ts';
import { CannotDrill, type Drill } from './drill.ts';
import { onProduct } from './drilled-product.ts';

const rows = 20_000;

const failover: Drill = {
  title: 'The primary database is killed and its synchronous replica promoted',
  async run() {
    const pair = await startStreamingPair();
    if (!pair) throw new CannotDrill(noPrograms);
    const { primary, replica } = pair;
    await replicateSynchronously(primary);
    // Like a virtual IP address, it leads first to one server, then to the other.
    const relay = await startRelay(primary.url);
    try {
      const env = { DATABASE_URL: relay.url, JWT_SECRET: 'signs the sessions of this drill alone' };
      return await onProduct({ env }, async (product) => {
        const ticket = await product.upload(rows);
        await product.untilDone(ticket, rows / 5);
        await primary.kill();
        relay.leadTo(undefined);
        await replica.promote();
        relay.leadTo(replica.port);
        const seconds = await product.untilCompleted(ticket);
        const calls = Object.values((await product.upstream.report()).calls);
        assert.equal(calls.length, rows, 'every row was asked about');
        assert.ok(Math.max(...calls) <= 2, 'no row was asked more than twice');
        const again = calls.filter((times) => times === 2).length;
        return `${rows} rows completed ${seconds.toFixed(0)} s later, ${again} asked twice`;
      });
    } finally {
      await relay.close();
      await pair.stop();
    }
  },
};

export const drills = { failover };

/** Makes every commit wait for the replica. */
async function replicateSynchronously(primary: ServerOnDisk): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await client.query('SELECT pg_reload_conf()');
  await waitFor('the synchronous replica', async () => {
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`,
    );
    return rowCount === 1;
  });
  await client.end();
}
