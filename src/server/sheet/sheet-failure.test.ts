import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '#server/http/errors/errors.ts';
import { TaskLimitError } from '#server/threads/thread-tasks.ts';
import { SheetError } from './sheet-error.ts';
import { explainSheetError } from './sheet-failure.ts';

test('the uploader gets the reason why a sheet could not be read', () => {
  const told = (error: unknown, uncaught = false) => {
    const failure = explainSheetError(10, error, uncaught);
    return failure instanceof AppError ? [failure.status, failure.code] : failure;
  };
  assert.deepEqual(told(new SheetError('encrypted', 'a password')), [422, 'sheet_encrypted']);
  assert.deepEqual(told(new TaskLimitError('time')), [422, 'sheet_slow']);
  assert.deepEqual(told(new TaskLimitError('memory')), [422, 'sheet_bomb']);
  assert.deepEqual(told(new RangeError('a library'), true), [422, 'sheet_corrupt']);
  const unexpected = new Error('connection terminated');
  assert.equal(told(unexpected), unexpected);
});
