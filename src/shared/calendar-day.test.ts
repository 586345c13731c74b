import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dayIn, daysBetween } from './calendar-day.ts';

it('returns the day of an instant in the company’s time zone', () => {
  assert.equal(dayIn('Asia/Jakarta', new Date('2026-11-20T17:00:00Z')), '2026-11-21');
  assert.equal(dayIn('Asia/Jakarta', new Date('2026-11-20T16:59:59Z')), '2026-11-20');
});

it('counts days over months and leap years', () => {
  assert.equal(daysBetween('2026-11-21', '2026-11-21'), 0);
  assert.equal(daysBetween('2028-02-28', '2028-03-01'), 2);
  assert.equal(daysBetween('2026-01-01', '2025-12-31'), -1);
});
