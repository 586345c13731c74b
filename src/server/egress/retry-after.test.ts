import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRetryAfter } from './retry-after.ts';

test('reads seconds and dates, and nothing else', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  const headers: [string | undefined, number | null][] = [
    ['0', 0],
    ['120', 120_000],
    [' 3 ', 3000],
    ['99999999999', 86_400_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    // UNIX times, in seconds and milliseconds.
    [String(now / 1000 + 90), 90_000],
    [String(now + 90_500), 90_500],
    [String(now / 1000 - 90), 0],
    ['1000000000', 86_400_000],
    ['1000000001', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['', null],
    [undefined, null],
  ];
  for (const [header, wait] of headers) assert.equal(readRetryAfter(header, now), wait, header);
});
