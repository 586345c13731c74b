import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFailedItems } from './ticket-rules.view.ts';

test('items without a result count as failed', () => {
  assert.equal(countFailedItems({ total: 40, done: 37 }), 3);
  assert.equal(countFailedItems({ total: 40, done: 40 }), 0);
});
