import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Drill } from './drill.ts';
import { type DrilledProduct, startDrilledProduct } from './drilled-product.ts';

const rows = 40_000;
const patience = 60_000;

const readersStop: Drill = {
  title: 'Eight downloads of one person whose client stops reading',
  async run() {
    const product = await startDrilledProduct();
    const sockets: Socket[] = [];
    try {
      await product.upstream.setLatency(0);
      const ticket = await product.upload(rows);
      await product.untilCompleted(ticket, 300_000);
      for (let n = 0; n < 8; n++) sockets.push(await beginDownload(product, ticket));
      const began = performance.now();
      const answer = await fetch(`${product.url}/api/imei/download?ticket_number=${ticket}&format=json`, {
        headers: { authorization: `Bearer ${product.admin.token}` },
        signal: AbortSignal.timeout(patience),
      });
      const { data = [] } = (await answer.json()) as { data?: unknown[] };
      assert.equal(answer.status, 200);
      const seconds = (performance.now() - began) / 1000;
      return `another person’s download of ${data.length || rows} rows took ${seconds.toFixed(1)} s meanwhile`;
    } finally {
      for (const socket of sockets) socket.destroy();
      await product.stop();
    }
  },
};

/** Asks for a download and reads nothing of it but its beginning. */
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

export const drills = { readersStop };
