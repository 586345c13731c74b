import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeExpiry } from './coverage-expiry.shared.ts';

test('the expiry text counts calendar days, the end day included', () => {
  const cases = [
    ['2026-11-20', 'Expired'],
    ['2026-11-21', 'Expires today'],
    ['2026-11-22', '1 days'],
    ['2026-12-21', '30 days'],
    ['2028-11-21', '731 days'],
    [null, 'N/A'],
  ] as const;
  for (const [end, text] of cases) assert.equal(describeExpiry('done', end, '2026-11-21'), text);
  assert.equal(describeExpiry('failed', null, '2026-11-21'), 'N/A');
  assert.equal(describeExpiry('pending', null, '2026-11-21'), null);
});
