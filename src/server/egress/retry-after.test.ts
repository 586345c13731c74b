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
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['', null],
    [undefined, null],
  ];
  for (const [header, wait] of headers) assert.equal(readRetryAfter(header, now), wait, header);
});
