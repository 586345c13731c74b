import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance } from 'fastify';
import { AppError, toFailure } from '#server/http/errors/errors.ts';
import { receiveFile } from './receive-file.ts';

const head =
  '--edge\r\ncontent-disposition: form-data; name="file"; filename="file.txt"\r\ncontent-type: text/plain\r\n\r\n';
const tail = '\r\n--edge--\r\n';

let app: FastifyInstance;
before(async () => {
  app = Fastify({ bodyLimit: 100_000_000 });
  await app.register(multipart, { limits: { files: 1, fields: 10 } });
  app.setErrorHandler((error, _, reply) =>
    error instanceof AppError
      ? reply.status(error.status).send(toFailure(error, 'en'))
      : reply.status(500).send(),
  );
  const limit = { bytes: 100_000_000, tooLarge: () => 'too large' };
  app.post('/unread', async (received) =>
    receiveFile(received, 'file', limit, async () => {
      throw new AppError(507, 'no_room', () => 'no room');
    }),
  );
  app.post('/read', async (received) => {
    const { fields } = await receiveFile(received, 'file', limit, async (file) => void (await text(file)));
    return Object.fromEntries(fields);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

test('the rest of a refused file is received, so that the sender reads the response', async () => {
  const { port } = app.server.address() as AddressInfo;
  const sent = request({
    method: 'POST',
    host: '127.0.0.1',
    port,
    path: '/unread',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  });
  const answered = once(sent, 'response');
  sent.write(head);
  // Far more than all buffers between client and server.
  sent.write(Buffer.alloc(50_000_000, 'x'));
  sent.end(tail);
  await once(sent, 'finish', { signal: AbortSignal.timeout(60_000) });
  const [response] = (await answered) as [IncomingMessage];
  await text(response);
  assert.equal(response.statusCode, 507);
});

const read = (payload: string) =>
  app.inject({
    method: 'POST',
    url: '/read',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    payload,
  });
const field = (name: string, value: string, more = '') =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

test('a form field that is JSON by its type counts as its text', async () => {
  const json = '\r\ncontent-type: application/json';
  const answer = await read(`${field('corrections', '{ "A1": "x" }', json)}${head}x${tail}`);
  assert.deepEqual(answer.json(), { corrections: '{"A1":"x"}' });
});

/** Checks that a form is refused with one detail. */
async function assertRefused(payload: string, path: string, message: string) {
  const answer = await read(payload);
  assert.deepEqual(
    [answer.statusCode, answer.json()],
    [400, { message, error: message, code: 'invalid', details: [{ path, message }] }],
  );
}

test('a form of several files or too many fields is refused with the reason', async () => {
  await assertRefused(
    `${head}x\r\n${head}x${tail}`,
    'file',
    'Please send one file only. Nothing was stored.',
  );
  for (const count of [11, 2000]) {
    const many = Array.from({ length: count }, (_, nth) => field(`field${nth}`, 'x')).join('');
    const sentence = 'The form has too many fields. Nothing was stored.';
    await assertRefused(`${many}${head}x${tail}`, '', sentence);
    await assertRefused(`${head}x\r\n${many}--edge--\r\n`, '', sentence);
  }
});

test('a form field that is too long is refused instead of truncated', async () => {
  const send = (value: string) => read(`${field('ticket_number', value)}${head}x${tail}`);
  const whole = 'x'.repeat(10_000);
  assert.deepEqual((await send(whole)).json(), { ticket_number: whole });
  const long = field('ticket_number', `${' '.repeat(200_000)}7`);
  await assertRefused(`${long}${head}x${tail}`, 'ticket_number', 'ticket_number must be at most 128 KB');
});
