import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, type Text } from '#server/http/errors/errors.ts';
import { packError, unpackError } from './thread-error.ts';

/** Clones data, as a message between threads is cloned. */
const cross = (error: unknown) => unpackError(structuredClone(packError(error)));

test('an AppError from a thread keeps its texts in both languages', () => {
  const text: Text = (_, { locale }) => `in ${locale}`;
  const sent = new AppError(422, 'no_valid_serial', text, {
    details: [{ path: 'A1', message: (_, { locale }) => `cell in ${locale}` }],
  });
  const error = cross(sent);
  assert.ok(error instanceof AppError);
  assert.deepEqual([error.status, error.code], [422, 'no_valid_serial']);
  assert.deepEqual([error.text({}, { locale: 'en' }), error.text({}, { locale: 'id' })], ['in en', 'in id']);
  const details = error.details?.map(({ path, message }) => [
    path,
    message({}, { locale: 'en' }),
    message({}, { locale: 'id' }),
  ]);
  assert.deepEqual(details, [['A1', 'cell in en', 'cell in id']]);
});

test('an AppError without details from a thread has no details', () => {
  const error = cross(new AppError(409, 'ticket_busy', () => 'busy'));
  assert.ok(error instanceof AppError);
  assert.equal(error.details, undefined);
});

test('an unexpected error from a thread keeps its stack and code', () => {
  const sent = Object.assign(new Error('connection terminated'), { code: '57P01' });
  const error = cross(sent) as NodeJS.ErrnoException;
  assert.deepEqual([error.message, error.stack, error.code], [sent.message, sent.stack, '57P01']);
  assert.equal('code' in cross(new Error('no code')), false);
  assert.equal(cross('a text').message, 'a text');
});

test('an error from a thread keeps its name, and an AppError its Retry-After', () => {
  assert.equal(cross(new DOMException('stopped', 'AbortError')).name, 'AbortError');
  assert.equal(cross(new RangeError('too deep')).name, 'RangeError');
  const refusal = cross(new AppError(429, 'busy', () => 'busy', { retryAfterSeconds: 30 }));
  assert.equal((refusal as AppError).retryAfterSeconds, 30);
});
