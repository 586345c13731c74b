import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiFailure } from '#web/client/failure.ts';
import { beginAttempt, isEndUnknown } from './upload-attempt.ts';

const makeFile = (text: string, lastModified = 1) => new File([text], 'devices.xlsx', { lastModified });

test('the same file, also chosen anew, keeps its key while the end of the attempt before is unknown', () => {
  const before = beginAttempt(makeFile('x'), '', null);
  assert.match(before.key, /^[0-9a-f]{32}$/);
  assert.equal(beginAttempt(makeFile('x'), '', before).key, before.key);
});

test('a file that was changed, another order, and a known end take a new key', () => {
  const before = beginAttempt(makeFile('x'), '', null);
  const keys = [
    beginAttempt(makeFile('xy'), '', before).key,
    beginAttempt(makeFile('x', 2), '', before).key,
    beginAttempt(makeFile('x'), '12', before).key,
    beginAttempt(makeFile('x'), '', null).key,
  ];
  assert.equal(new Set([before.key, ...keys]).size, 5);
});

test('the end is unknown where the product did not say it', () => {
  const known = [new ApiFailure(409, {}), new ApiFailure(422, {}), new ApiFailure(401, {})];
  assert.deepEqual(known.map(isEndUnknown), [false, false, false]);
  const unknown = [
    new ApiFailure(0, null),
    new ApiFailure(502, null),
    new DOMException('Called off', 'AbortError'),
  ];
  assert.deepEqual(unknown.map(isEndUnknown), [true, true, true]);
});
