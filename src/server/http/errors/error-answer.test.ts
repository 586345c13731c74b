import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { noRoom } from '#server/uploads/upload-room.ts';
import { answerError } from './error-answer.ts';
import { AppError } from './errors.ts';

/** Returns the response to an error, and the level and text of each log line. */
async function answer(error: Error) {
  const lines: [number, string][] = [];
  const stream = {
    write(line: string) {
      const { level, msg } = JSON.parse(line);
      lines.push([level, msg]);
    },
  };
  const app = fastify({ logger: { level: 'warn', stream } });
  app.setErrorHandler(answerError);
  app.get('/', () => Promise.reject(error));
  const { statusCode, headers, body } = await app.inject('/');
  await app.close();
  const { code, message, error: repeated } = JSON.parse(body);
  assert.equal(repeated, message);
  return { status: statusCode, code, message, retryAfter: headers['retry-after'], lines };
}
const failure = (more: { statusCode?: number; code?: string }) => Object.assign(new Error('within'), more);
const warning = 40;
const failed = 50;

test('a request that Fastify refuses is answered with its status and not logged', async () => {
  for (const [status, code, message] of [
    [400, 'malformed', 'The request could not be read. Nothing was changed.'],
    [404, 'not_found', 'The request could not be read. Nothing was changed.'],
    [413, 'too_large', 'The request is too large. Nothing was stored. Send less data.'],
    [415, 'unsupported_media_type', 'This kind of content is not supported. Nothing was stored.'],
  ] as const) {
    assert.deepEqual(await answer(failure({ statusCode: status })), {
      status,
      code,
      message,
      retryAfter: undefined,
      lines: [],
    });
  }
  const nul = await answer(failure({ code: '22021' }));
  assert.deepEqual([nul.status, nul.code, nul.lines], [400, 'malformed', []]);
});

test('an unexpected error is logged, and its message is not sent', async () => {
  for (const [error, status, code, retryAfter] of [
    [failure({}), 500, 'internal', undefined],
    [failure({ code: 'ECONNREFUSED' }), 503, 'unavailable', '5'],
  ] as const) {
    const told = await answer(error);
    assert.deepEqual([told.status, told.code, told.lines], [status, code, [[failed, 'a request failed']]]);
    assert.equal(told.retryAfter, retryAfter);
    assert.doesNotMatch(told.message, /within/);
  }
});

test('a full disk is answered 507 and logged as an error, an upload refused in time as a warning', async () => {
  for (const code of ['ENOSPC', 'EDQUOT', '53100']) {
    const full = await answer(failure({ code }));
    assert.deepEqual([full.status, full.code, full.lines], [507, 'no_room', [[failed, 'a request failed']]]);
  }
  const refused = await answer(noRoom());
  assert.deepEqual([refused.status, refused.code], [507, 'no_room']);
  assert.deepEqual(refused.lines, [[warning, 'an upload was refused because the disk is full']]);
});

test('a refusal has Retry-After if its error sets one', async () => {
  const text = () => 'Too many';
  const told = await answer(new AppError(429, 'too_many', text, { retryAfterSeconds: 30 }));
  assert.deepEqual(told, {
    status: 429,
    code: 'too_many',
    message: 'Too many',
    retryAfter: '30',
    lines: [],
  });
});
