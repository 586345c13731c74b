import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import {
  noPrograms,
  type ServerOnDisk,
  startStreamingPair,
} from '#tests/support/database/streaming-replica.ts';
import { waitFor } from '#tests/support/wait.ts';
import { CannotDrill, type Drill } from './drill.ts';
import { startDrilledProduct } from './drilled-product.ts';

const rows = 20_000;

const failover: Drill = {
  title: 'The primary database is killed (`kill -9`) during lookups, and its synchronous replica promoted',
  async run() {
    const pair = await startStreamingPair();
    if (!pair) throw new CannotDrill(noPrograms);
    const { primary, replica } = pair;
    await replicateSynchronously(primary);
    const address = await startSwitch();
    address.leadTo(primary.port);
    const product = await startDrilledProduct({
      env: {
        DATABASE_URL: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
        JWT_SECRET: 'signs the sessions of this drill alone',
      },
    }).catch(async (error: Error) => {
      await pair.stop();
      throw error;
    });
    try {
      const ticket = await product.upload(rows);
      await product.untilDone(ticket, rows / 5);
      await primary.kill();
      address.leadTo(undefined);
      await replica.promote();
      address.leadTo(replica.port);
      const seconds = await product.untilCompleted(ticket);
      const calls = Object.values((await product.upstream.report()).calls);
      assert.equal(calls.length, rows, 'every row was asked about');
      assert.ok(Math.max(...calls) <= 2, 'no row was asked more than twice');
      const again = calls.filter((times) => times === 2).length;
      return `${rows} rows completed ${seconds.toFixed(0)} s after the promotion, ${again} asked twice, none lost, none counted twice`;
    } finally {
      await product.stop();
      address.close();
      await pair.stop();
    }
  },
};

export const drills = { failover };

/** Makes the replica have every commit before it is answered. */
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

/** An address that leads to one server after the other, as a virtual IP address does. */
async function startSwitch() {
  const sockets = new Set<Socket>();
  let target: number | undefined;
  const server = createServer((client) => {
    if (target === undefined) return client.destroy();
    const database = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port: number | undefined) {
      target = port;
      closeAll();
    },
    close() {
      server.close();
      closeAll();
    },
  };
}
