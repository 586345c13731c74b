import { peakPerSecond } from '../tests/support/upstream.ts';
import { type Bench, type Row, ratePerSecond } from './support/bench.ts';
import { setLookupStage } from './support/lookup-stage.ts';

/** Seconds of calls that each limit is measured over. */
const seconds = 20;
/** The first and last calls, while workers still share out and run dry, say nothing of the limit. */
const edgeMs = 3000;

/** Are the limits of a source kept, and are they used? */
export const bench: Bench = { title: 'Lookups under per_second and concurrency', run };

async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [perSecond, workers] of [
    [50, 1],
    [400, 1],
    [50, 3],
  ] as const) {
    rows.push(...(await measureRate(perSecond, workers)));
  }
  for (const workers of [1, 3]) rows.push(...(await measureConcurrency(16, workers)));
  return rows;
}

async function measureRate(perSecond: number, workers: number): Promise<Row[]> {
  const stage = await setLookupStage({ limits: { per_second: perSecond } }, { workers, latencyMs: 20 });
  try {
    const count = perSecond * (seconds + (2 * edgeMs) / 1000);
    const id = await stage.importSerials(count * workers);
    await stage.until(id, ({ done }) => done >= count);
    const { starts } = await stage.upstream.report();
    const first = starts[0] ?? 0;
    const last = starts.at(-1) ?? 0;
    const steady = starts.filter((start) => start >= first + edgeMs && start <= last - edgeMs);
    const of = `${perSecond} a second, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
    return [
      {
        what: `most calls in any second, ${of}`,
        unit: 'calls',
        measured: peakPerSecond(starts),
        beside: 'limit',
        reference: perSecond,
        goal: perSecond,
      },
      {
        what: `calls a second, ${of}`,
        unit: 'calls/s',
        measured: ratePerSecond(steady),
        beside: 'limit',
        reference: perSecond,
        leastRatio: 0.95,
      },
    ];
  } finally {
    await stage.close();
  }
}

async function measureConcurrency(concurrency: number, workers: number): Promise<Row[]> {
  const stage = await setLookupStage({ limits: { concurrency } }, { workers, latencyMs: 200 });
  try {
    const id = await stage.importSerials(concurrency * 5 * seconds * workers);
    await stage.until(id, ({ done }) => done > concurrency * 10);
    const before = await stage.upstream.report();
    const began = performance.now();
    await stage.until(id, ({ done }) => done > concurrency * 5 * (seconds - 5));
    const after = await stage.upstream.report();
    const elapsed = performance.now() - began;
    const of = `concurrency ${concurrency}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`;
    return [
      {
        what: `most calls at once, ${of}`,
        unit: 'calls',
        measured: after.mostAtOnce,
        beside: 'limit',
        reference: concurrency,
        goal: concurrency,
      },
      {
        what: `calls at once on average, ${of}`,
        unit: 'calls',
        measured: (after.busyMs - before.busyMs) / elapsed,
        beside: 'limit',
        reference: concurrency,
        leastRatio: 0.95,
      },
    ];
  } finally {
    await stage.close();
  }
}
