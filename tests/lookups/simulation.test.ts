import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate, startWorkers, withSimulatedClock } from '#tests/support/lookups/simulation/simulate.ts';

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

test('workers use their limit while it takes a second to mark the waiting tickets', async () => {
  const seen = await simulate({ workers: 8, perSecond: 50, markingMs: 1000, ...large });
  assert.ok(seen.used >= 0.95, `${seen.used} of the limit`);
});

test('a company with tickets of one row uses all places of a worker with many of them', async () => {
  await withSimulatedClock(async () => {
    let sent = 0;
    const { pass } = await startWorkers({
      workers: 1,
      perSecond: 1000,
      concurrency: 256,
      latencyMs: 2000,
      onSent: () => {
        sent += 1;
      },
      importTickets(stored) {
        for (let n = 0; n < 4000; n++) stored.importTicket(1);
      },
    });
    await pass(8000);
    const before = sent;
    await pass(16_000);
    const used = (sent - before) / (256 * 8);
    assert.ok(used >= 0.95, `${used} of the places`);
  });
});

test('no serial is asked about twice by two workers after the database was away for 12 s', async () => {
  await withSimulatedClock(async () => {
    const calls = new Map<string, number>();
    const { pass, database } = await startWorkers({
      workers: 2,
      perSecond: 10,
      onSent: (serial) => calls.set(serial, (calls.get(serial) ?? 0) + 1),
      importTickets: (stored) => stored.importTicket(2000),
    });
    await pass(20_000);
    const comeBack = database.goAway();
    await pass(12_000);
    const before = calls.size;
    comeBack();
    await pass(20_000);
    assert.ok(calls.size >= before + 150, `${calls.size - before} calls after it`);
    const repeated = [...calls].filter(([, count]) => count > 1);
    assert.deepEqual(repeated, []);
  });
});
