import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from '#tests/support/lookups/simulation/simulate.ts';

const large = { tickets: 20, rowsEach: 10_000, seconds: 20 };

for (const { perSecond, minUsed, proxies = 0 } of [
  { perSecond: 0.5, minUsed: 0.9 },
  { perSecond: 5, minUsed: 0.9 },
  { perSecond: 50, minUsed: 0.95 },
  { perSecond: 50, minUsed: 0.95, proxies: 200 },
  { perSecond: 20, minUsed: 0.9, proxies: 30 },
]) {
  const through = proxies > 0 ? ` through ${proxies} proxies` : '';
  test(`twenty workers at ${perSecond} calls a second${through} use the limit without exceeding it, and finish a ticket of one row within 15 s`, async () => {
    const seen = await simulate({ workers: 20, perSecond, proxies, ...large });
    assert.ok(seen.used >= minUsed, `${seen.used} of the limit`);
    assert.ok(seen.peak <= Math.max(1, perSecond), `${seen.peak} calls in a window`);
    assert.ok(seen.longestWait <= 15, `${seen.longestWait} s`);
    assert.ok(seen.statements <= 20 * 60, `${seen.statements} statements a second`);
  });
}
