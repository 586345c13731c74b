import { simulate } from '../tests/support/simulation/simulate.ts';
import type { Bench, Row } from './support/bench.ts';

/** The longest that a ticket of one row may take beside long ones. */
const longestWaitSeconds = 15;
/** From this many a second on a limit is to be used nearly whole. */
const usedWholeFrom = 5;

/** What do many workers cost the database, how long does a small ticket wait, and are limits of any size used? */
export const bench: Bench = {
  title: 'Many workers, 10 million rows and a clock of their own, against a database that counts',
  run,
};

async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const workers of [20, 100]) {
    for (const perSecond of [0.5, 1, 5, 6, 50, 500, 5000]) {
      rows.push(...(await measure(workers, perSecond, 0)));
    }
    rows.push(...(await measure(workers, 500, 1000)));
  }
  return rows;
}

async function measure(workers: number, perSecond: number, proxies: number): Promise<Row[]> {
  const seconds = perSecond >= 500 ? 15 : 60;
  const large = { tickets: 10, rowsEach: 1_000_000 };
  const seen = await simulate({ workers, perSecond, proxies, seconds, ...large });
  const of = `${workers} workers, ${perSecond} a second${proxies > 0 ? `, ${proxies} proxies` : ''}`;
  console.error(of);
  const most = Math.max(1, perSecond);
  return [
    {
      what: `statements a second, ${of}`,
      ...{ unit: '', measured: seen.statements, beside: 'workers', reference: workers },
    },
    {
      what: `of them while others may not allocate, ${of}`,
      ...{ unit: '', measured: seen.locked, beside: 'workers', reference: workers },
    },
    {
      what: `longest wait of a ticket of one row, ${of}`,
      ...{ unit: 's', measured: seen.longestWait, beside: 'limit', reference: longestWaitSeconds },
      goal: longestWaitSeconds,
    },
    {
      what: `calls, ${of}`,
      ...{ unit: 'calls/s', measured: seen.used * perSecond, beside: 'limit', reference: perSecond },
      ...(perSecond > usedWholeFrom && { leastRatio: 0.95 }),
    },
    {
      what: `most calls in any second or window, ${of}`,
      ...{ unit: 'calls', measured: seen.peak, beside: 'limit', reference: most, goal: most },
    },
  ];
}
