import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { connect } from 'node:tls';
import Fastify from 'fastify';
import { registerStalledReaders } from '#server/http/stalled-readers.ts';
import { hasNginx, startNginx } from '#tests/support/product/nginx.ts';

/** More than the buffers of the connections to nginx and to the client hold. */
const parts = 60;
const part = 'x'.repeat(1_000_000);

test('a download that is not read behind nginx is not stored there, and the server ends it', {
  skip: !hasNginx(),
  timeout: 60_000,
}, async (t) => {
  const app = Fastify();
  registerStalledReaders(app, 1000);
  const ended = Promise.withResolvers<boolean>();
  app.get('/file', (_, reply) => {
    reply.raw.once('close', () => ended.resolve(reply.raw.writableFinished));
    return reply.send(Readable.from(Array<string>(parts).fill(part)));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const nginx = await startNginx([address, address]);
  t.after(() => nginx.stop());
  const { hostname, port } = new URL(nginx.url);
  const client = connect({ host: hostname, port: Number(port), ca: nginx.ca }).pause();
  t.after(() => client.destroy());
  client.on('error', () => undefined);
  await once(client, 'secureConnect');
  client.write('GET /file HTTP/1.1\r\nhost: localhost\r\n\r\n');
  assert.equal(await ended.promise, false, 'nginx took the whole file');
});
