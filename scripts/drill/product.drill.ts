import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { callApi } from '#tests/support/product/client.ts';
import type { Drill } from './drill.ts';
import { onProduct } from './drilled-product.ts';

const rounds = 20;

const productKilled: Drill = {
  title: `The product is killed ${rounds} times`,
  run: () =>
    onProduct({ entry: { limits: { per_second: 100 } } }, async (product) => {
      const rows = 20_000;
      const ticket = await product.upload(rows);
      for (let round = 1; round <= rounds; round++) {
        await delay(300 + 40 * round);
        assert.notEqual((await product.progress(ticket)).status, 'Completed');
        await product.process.killAll();
        await product.restart();
      }
      const seconds = await product.untilCompleted(ticket, 300_000);
      return `${rows} rows completed ${seconds.toFixed(0)} s later`;
    }),
};

const productStopped: Drill = {
  title: 'SIGTERM during lookups and a hundred reads',
  run: () =>
    onProduct({}, async (product) => {
      const rows = 3000;
      const ticket = await product.upload(rows);
      await product.untilDone(ticket, rows / 10);
      const reading = Array.from({ length: 100 }, () =>
        callApi(product.user, 'GET', `/imei?ticket_number=${ticket}&limit=1000`).catch(() => undefined),
      );
      const began = performance.now();
      const code = await product.process.stop();
      const seconds = (performance.now() - began) / 1000;
      await Promise.all(reading);
      assert.equal(code, 0);
      assert.ok(seconds < 30, `it took ${seconds.toFixed(1)} s to end`);
      await product.restart();
      await product.untilCompleted(ticket);
      return `ended with 0 after ${seconds.toFixed(1)} s; ${rows} rows completed later`;
    }),
};

const idleConnections: Drill = {
  title: '1,000 connections send nothing',
  run: () =>
    onProduct({}, async (product) => {
      const sockets: Socket[] = [];
      try {
        const { hostname, port } = new URL(product.url);
        for (let n = 0; n < 1000; n++) {
          sockets.push(connect(Number(port), hostname).on('error', () => undefined));
        }
        await delay(1000);
        const live = await product.liveAnswer();
        const ticket = await product.upload(500);
        const seconds = await product.untilCompleted(ticket);
        assert.ok(live < 1000, `health/live took ${Math.round(live)} ms`);
        return `500 rows completed in ${seconds.toFixed(1)} s`;
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    }),
};

const upstreamTrickles: Drill = {
  title: 'A source answers one byte a second',
  run: () =>
    onProduct({}, async (product) => {
      const rows = 500;
      const ticket = await product.upload(1);
      await product.untilCompleted(ticket);
      const [serial = ''] = Object.keys((await product.upstream.report()).calls);
      // The next sheet's first serial, which follows the pattern of the last.
      const next = serial.replace(/^DRILL(\d+)/, (_, n) => `DRILL${Number(n) + 1}`);
      await product.upstream.plan({ [next]: [{ trickle: true }, {}] });
      const seconds = await product.untilCompleted(await product.upload(rows));
      return `${rows} rows completed in ${seconds.toFixed(0)} s`;
    }),
};

export const drills = { productKilled, productStopped, idleConnections, upstreamTrickles };
