import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockOf, dayNumber } from './dates.ts';

test('days in Excel’s valid range have a serial number, others have none', () => {
  for (const [day, number] of [
    ['1900-02-28', null],
    ['1900-03-01', 61],
    ['1970-01-01', 25_569],
    ['2024-02-29', 45_351],
    ['9999-12-31', 2_958_465],
    ['no day', null],
  ] as const) {
    assert.equal(dayNumber(day), number, day);
    assert.equal(dayNumber(day), number, `${day} again`);
  }
});

test('instants are converted to the local time of a time zone, also at clock changes', () => {
  const seconds = (zone: string, instant: string) => Math.round(clockOf(zone)(new Date(instant)) * 86_400);
  const at = (local: string) => Math.round((Date.parse(`${local}Z`) / 86_400_000 + 25_569) * 86_400);
  for (const [zone, instant, local] of [
    ['UTC', '2026-01-02T03:04:05.999Z', '2026-01-02T03:04:05'],
    ['Asia/Jakarta', '2026-01-02T20:30:00Z', '2026-01-03T03:30:00'],
    ['Asia/Kathmandu', '2026-01-02T00:00:00Z', '2026-01-02T05:45:00'],
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00'],
  ] as const) {
    assert.equal(seconds(zone, instant), at(local), `${instant} in ${zone}`);
  }
});
