import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { createTestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';

test('a mail that cannot be sent is logged without its link, and the response is the same', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const { port, close } = await reservePort();
  const api = await createTestApi({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@example.test' }, log);
  close();
  const user = await createUser(api);
  const answer = await api.send('POST /api/auth/forgot-password', { body: { email: user.email } });
  const unknown = await api.send('POST /api/auth/forgot-password', { body: { email: 'no@example.test' } });
  await api.close();
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), unknown.json());
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /a reset link could not be mailed/);
  assert.doesNotMatch(lines[0] ?? '', /reset-password\//);
});

/** Returns a port on which nothing listens. */
async function reservePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, close: () => server.close() };
}
