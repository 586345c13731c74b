import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, lastDueDay, nextDigestDay } from './digest-days.ts';

test('a weekly digest is due on the next such weekday, a week later on the day itself', () => {
  const monday = '2026-11-23';
  for (let day = 1; day <= 7; day++) {
    const expected = addDays(monday, day === 1 ? 7 : day - 1);
    assert.equal(nextDigestDay({ cadence: 'weekly', day }, monday), expected, `${day}`);
  }
  assert.equal(nextDigestDay({ cadence: 'weekly', day: 1 }, '2026-12-29'), '2027-01-04');
});

test('a monthly digest is due on its day of this month, or else of the next', () => {
  assert.equal(nextDigestDay({ cadence: 'monthly', day: 28 }, '2027-02-01'), '2027-02-28');
  assert.equal(nextDigestDay({ cadence: 'monthly', day: 5 }, '2027-01-31'), '2027-02-05');
  assert.equal(nextDigestDay({ cadence: 'monthly', day: 5 }, '2026-12-05'), '2027-01-05');
});

test('digests of a day are due from seven o’clock of the time zone on', () => {
  assert.equal(lastDueDay('Asia/Jakarta', new Date('2026-11-22T23:59:00Z')), '2026-11-22');
  assert.equal(lastDueDay('Asia/Jakarta', new Date('2026-11-23T00:00:00Z')), '2026-11-23');
});

test('it is seven o’clock of the time zone also on days on which the clocks change', () => {
  for (const [timeZone, before, seven, day] of [
    // Forward at 2:00, to UTC+2.
    ['Europe/Berlin', '2027-03-28T04:59:00Z', '2027-03-28T05:00:00Z', '2027-03-28'],
    // Back at 3:00, to UTC+1.
    ['Europe/Berlin', '2027-10-31T05:59:00Z', '2027-10-31T06:00:00Z', '2027-10-31'],
    ['America/New_York', '2027-03-14T10:59:00Z', '2027-03-14T11:00:00Z', '2027-03-14'],
  ] as const) {
    assert.equal(lastDueDay(timeZone, new Date(before)), addDays(day, -1), before);
    assert.equal(lastDueDay(timeZone, new Date(seven)), day, seven);
  }
});
