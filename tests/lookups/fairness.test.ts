import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWorkers, withSimulatedClock } from '#tests/support/lookups/simulation/simulate.ts';
import type { StoredTickets } from '#tests/support/lookups/simulation/stored-tickets.ts';

/** The tickets of a company: their number, and the rows of each. */
type Company = { name: string; tickets: number; rows: number; isRecheck?: boolean };

function importAll(stored: StoredTickets, companies: Company[]): void {
  for (const { name, tickets, rows, isRecheck } of companies)
    for (let n = 0; n < tickets; n++) stored.importTicket(rows, name, isRecheck);
}

type Measured = { seconds?: number; pausedSeconds?: number };

/** Returns each company's part of the calls, from the tenth second after the source may be asked. */
function measureParts(
  workers: number,
  perSecond: number,
  companies: Company[],
  { seconds = 40, pausedSeconds = 0 }: Measured = {},
) {
  return withSimulatedClock(async () => {
    const calls = new Map<string, number>();
    let isCounting = false;
    let sent = 0;
    const { pass, database, engines } = await startWorkers({
      workers,
      perSecond,
      onSent(serial) {
        const { companyCode } = database.tickets.find(Number(serial.split('-')[0]));
        sent += 1;
        if (isCounting) calls.set(companyCode, (calls.get(companyCode) ?? 0) + 1);
      },
      importTickets: (stored) => importAll(stored, companies),
    });
    if (pausedSeconds > 0) {
      await pass(5000);
      const setPaused = (isPaused: boolean) => {
        database.setPaused(isPaused);
        for (const { notices } of engines) notices.sources?.();
      };
      setPaused(true);
      await pass(1000);
      const before = sent;
      await pass(1000 * pausedSeconds);
      assert.ok(before > 0 && sent === before, 'no call while the source is paused');
      setPaused(false);
    }
    await pass(10_000);
    isCounting = true;
    await pass(1000 * seconds);
    const all = [...calls.values()].reduce((sum, count) => sum + count, 0);
    return companies.map(({ name }) => (calls.get(name) ?? 0) / all);
  });
}

for (const [perSecond, companies] of [
  [
    10,
    [
      { name: 'SMALL1', tickets: 300, rows: 12 },
      { name: 'LARGE1', tickets: 1, rows: 20_000 },
    ],
  ],
  [
    10,
    [
      { name: 'SINGLE', tickets: 2000, rows: 1 },
      { name: 'SOME01', tickets: 40, rows: 400 },
    ],
  ],
  [
    200,
    [
      { name: 'SMALL1', tickets: 2000, rows: 12 },
      { name: 'LARGE1', tickets: 2, rows: 20_000 },
    ],
  ],
] as [number, Company[]][])
  for (const workers of [1, 3])
    test(`two companies get 45 to 55 % of ${perSecond} calls a second each, with ${workers} workers: ${companies.map(({ tickets, rows }) => `${tickets} × ${rows}`).join(', ')}`, async () => {
      const parts = await measureParts(workers, perSecond, companies);
      for (const part of parts) assert.ok(part >= 0.45 && part <= 0.55, `parts of ${parts}`);
    });

test('ten companies get equal parts, whatever the number and size of their tickets', async () => {
  const companies = Array.from({ length: 10 }, (_, n) => ({
    name: `TEN00${n}`,
    tickets: n % 2 === 0 ? 150 : 1 + n,
    rows: n % 2 === 0 ? 12 : 2000,
  }));
  const parts = await measureParts(1, 20, companies, { seconds: 60 });
  for (const part of parts) assert.ok(part >= 0.08 && part <= 0.12, `parts of ${parts}`);
});

for (const workers of [1, 3])
  test(`after their source comes back, two companies get 45 to 55 % each, with ${workers} workers`, async () => {
    const companies = [
      { name: 'SMALL1', tickets: 300, rows: 12 },
      { name: 'LARGE1', tickets: 1, rows: 20_000 },
    ];
    const parts = await measureParts(workers, 10, companies, { pausedSeconds: 30 });
    for (const part of parts) assert.ok(part >= 0.45 && part <= 0.55, `parts of ${parts}`);
  });

test('after their source comes back, ten companies get equal parts', async () => {
  const companies = Array.from({ length: 10 }, (_, n) => ({
    name: `TEN00${n}`,
    tickets: n % 2 === 0 ? 150 : 1 + n,
    rows: n % 2 === 0 ? 12 : 2000,
  }));
  const parts = await measureParts(1, 20, companies, { seconds: 60, pausedSeconds: 30 });
  for (const part of parts) assert.ok(part >= 0.08 && part <= 0.12, `parts of ${parts}`);
});

test('rechecks get nothing while uploads have rows', async () => {
  const companies = [
    { name: 'CHECK1', tickets: 2, rows: 5000, isRecheck: true },
    { name: 'PEOPLE', tickets: 2, rows: 5000 },
  ];
  const [recheck = 1] = await measureParts(1, 10, companies);
  assert.ok(recheck <= 0.02, `a part of ${recheck}`);
});

test('with 1,000 tickets of 12 rows of another company at 10 calls a second, a ticket of 5 rows has its first result within 3 s and its last within 5 s', async () => {
  await withSimulatedClock(async () => {
    const firstOf = new Map<number, number>();
    const { pass, database, engines } = await startWorkers({
      workers: 2,
      perSecond: 10,
      onSent(serial) {
        const id = Number(serial.split('-')[0]);
        if (!firstOf.has(id)) firstOf.set(id, Date.now());
      },
      importTickets: (stored) => importAll(stored, [{ name: 'MANY01', tickets: 1000, rows: 12 }]),
    });
    await pass(30_000);
    const began = Date.now();
    const id = database.tickets.importTicket(5, 'LATE01');
    for (const { notices } of engines) notices.lookups?.();
    await pass(6000);
    const { doneAt = Number.POSITIVE_INFINITY } = database.tickets.find(id);
    assert.ok((firstOf.get(id) ?? 0) > began && (firstOf.get(id) ?? 0) - began <= 2500, 'the first call');
    assert.ok(doneAt - began <= 5000, `${doneAt - began} ms`);
  });
});

/** Returns the part of the calls that a company gets whose tickets are imported while another company's ticket runs. */
function measureLate(
  workers: number,
  late: Omit<Company, 'name'>,
  { isRecheck = false, perSecond = 10, hasOwnList = false } = {},
) {
  return withSimulatedClock(async () => {
    let sent = 0;
    const { pass, database, engines } = await startWorkers({
      workers,
      perSecond,
      hasOwnList,
      onSent: () => {
        sent += 1;
      },
      importTickets: (stored) => importAll(stored, [{ name: 'LARGE1', tickets: 1, rows: 20_000, isRecheck }]),
    });
    await pass(30_000);
    const before = sent;
    const ids = Array.from({ length: late.tickets }, () =>
      database.tickets.importTicket(late.rows, 'LATE01'),
    );
    for (const { notices } of engines) notices.lookups?.();
    let calls = 0;
    await pass((4000 * late.tickets * late.rows) / perSecond, () => {
      if (ids.some((id) => database.tickets.find(id).doneAt === undefined)) calls = sent - before;
    });
    return (late.tickets * late.rows) / calls;
  });
}

for (const workers of [1, 2, 3])
  for (const { tickets, rows } of [
    { tickets: 1, rows: 150 },
    { tickets: 1, rows: 1000 },
    { tickets: 12, rows: 12 },
  ]) {
    test(`a company that comes later gets 45 to 55 % over the life of its tickets, with ${workers} workers: ${tickets} × ${rows}`, async () => {
      const part = await measureLate(workers, { tickets, rows });
      assert.ok(part >= 0.45 && part <= 0.55, `a part of ${part}`);
    });
    test(`uploads get all calls beside a recheck that runs, with ${workers} workers: ${tickets} × ${rows}`, async () => {
      const part = await measureLate(workers, { tickets, rows }, { isRecheck: true });
      assert.ok(part >= 0.9, `a part of ${part}`);
    });
  }

for (const workers of [2, 3]) {
  test(`an own list in front of the source leaves a company that comes later 45 to 55 %, with ${workers} workers`, async () => {
    const part = await measureLate(workers, { tickets: 1, rows: 150 }, { hasOwnList: true });
    assert.ok(part >= 0.45 && part <= 0.55, `a part of ${part}`);
  });
  test(`an own list in front of the source leaves uploads all calls beside a recheck, with ${workers} workers`, async () => {
    const part = await measureLate(workers, { tickets: 1, rows: 150 }, { isRecheck: true, hasOwnList: true });
    assert.ok(part >= 0.9, `a part of ${part}`);
  });
}
