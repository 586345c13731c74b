import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatBritishDate,
  formatClock,
  formatDay,
  formatInstant,
  formatKilobytes,
  formatLongDate,
  formatRupiah,
  formatShortDay,
  formatUpcoming,
} from './format.ts';

test('rupiah are grouped the Indonesian way and rounded half up', () => {
  assert.equal(formatRupiah(1_234_567), 'Rp 1.234.567');
  assert.equal(formatRupiah(0), 'Rp 0');
  assert.equal(formatRupiah(799.5), 'Rp 800');
  assert.equal(formatRupiah(799.49), 'Rp 799');
  assert.equal(formatRupiah(5_000_000_000_000_001), 'Rp 5.000.000.000.000.001');
});

test('a date as id-ID writes it is shown like any other', () => {
  assert.equal(formatInstant('3/11/2026, 14.05'), 'Nov 3, 2026 • 14:05');
  assert.equal(formatInstant('3/11/2026, 09.05.33'), 'Nov 3, 2026 • 09:05');
  assert.equal(formatInstant(new Date(2026, 10, 3, 14, 5).toISOString()), 'Nov 3, 2026 • 14:05');
});

test('what is no date stays as it is, and nothing becomes a dash', () => {
  assert.equal(formatInstant('soon'), 'soon');
  assert.equal(formatInstant(null), '–');
  assert.equal(formatDay(null), '–');
  assert.equal(formatDay('unknown'), 'unknown');
});

test('a calendar day is the same day everywhere', () => {
  assert.equal(formatDay('2026-01-01'), 'Jan 1, 2026');
  assert.equal(formatDay('2026-12-31'), 'Dec 31, 2026');
});

test('the long and the British form', () => {
  const noon = new Date(2026, 10, 3, 12).toISOString();
  assert.equal(formatLongDate(noon), 'November 3, 2026');
  assert.equal(formatBritishDate(noon), '03/11/2026');
});

test('what ends today has its time, what ends later its day as well', () => {
  const now = Date.now();
  assert.equal(formatUpcoming(now), formatClock(now));
  const tomorrow = now + 24 * 3600 * 1000;
  const day = formatShortDay(new Date(tomorrow).toISOString());
  assert.equal(formatUpcoming(tomorrow), `${day} • ${formatClock(tomorrow)}`);
});

test('sizes are kilobytes with two decimals', () => {
  assert.equal(formatKilobytes(12_800), '12.50 KB');
});
