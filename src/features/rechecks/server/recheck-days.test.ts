import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRecheckDay } from './recheck-days.ts';

test('devices are checked again on the first day of the next month or quarter', () => {
  const days: [after: string, monthly: string, quarterly: string][] = [
    ['2026-11-25', '2026-12-01', '2027-01-01'],
    ['2026-12-31', '2027-01-01', '2027-01-01'],
    ['2027-01-01', '2027-02-01', '2027-04-01'],
    ['2027-03-31', '2027-04-01', '2027-04-01'],
  ];
  for (const [after, monthly, quarterly] of days) {
    assert.equal(nextRecheckDay('monthly', after), monthly);
    assert.equal(nextRecheckDay('quarterly', after), quarterly);
  }
});
