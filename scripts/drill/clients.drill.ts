import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { makeStandardUser } from '#tests/support/product/client.ts';
import type { Drill } from './drill.ts';
import { type DrilledProduct, onProduct, timeCall } from './drilled-product.ts';

const rows = 40_000;

const readersStop: Drill = {
  title: 'Eight downloads of one person stop reading',
  run: () =>
    onProduct({}, async (product) => {
      const sockets: Socket[] = [];
      try {
        await product.upstream.setLatency(0);
        const ticket = await product.upload(rows);
        await product.untilCompleted(ticket, 300_000);
        for (let n = 0; n < 8; n++) sockets.push(await beginDownload(product, ticket));
        const path = `/imei/download?ticket_number=${ticket}&format=json`;
        const { status, ms } = await timeCall(product.admin, path);
        assert.equal(status, 200);
        return `another person’s download took ${(ms / 1000).toFixed(1)} s`;
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    }),
};

/** Starts a download and stops reading after its beginning. */
async function beginDownload({ url, user }: DrilledProduct, ticket: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `GET /api/imei/download?ticket_number=${ticket}&format=json HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${user.token}\r\n\r\n`,
  );
  socket.pause();
  return socket;
}

const searches = 300;
const searchedRows = 600_000;

const heavySearches: Drill = {
  title: 'One user searches 600,000 rows 300 times at once',
  run: () =>
    onProduct({}, async (product) => {
      const other = await makeStandardUser(product.admin, 'Other');
      const ticket = await product.upload(searchedRows);
      const asked = Array.from({ length: searches }, async (_, n) => {
        const path = `/imei?ticket_number=${ticket}&q=${String(n).padStart(5, '0')}`;
        return (await timeCall(product.user, path)).status;
      });
      const isOver = Promise.all(asked).then(() => true);
      const cheap: { status: number; ms: number }[] = [];
      do {
        for (const path of ['/tickets/ticket-numbers', '/tickets/activity', '/clients/own']) {
          cheap.push(await timeCall(other, path));
        }
      } while (!(await Promise.race([isOver, delay(50, false)])));
      const statuses = await Promise.all(asked);
      const longest = Math.max(...cheap.map(({ ms }) => ms));
      const refused = statuses.filter((status) => status === 429).length;
      assert.deepEqual(new Set(cheap.map(({ status }) => status)), new Set([200]));
      assert.ok(longest < 1000, `a cheap call took ${Math.round(longest)} ms`);
      assert.ok(statuses.every((status) => status === 200 || status === 429));
      return `cheap calls of others took ${Math.round(longest)} ms at most; ${refused} searches got 429`;
    }),
};

export const drills = { readersStop, heavySearches };
