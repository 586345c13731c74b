import { setTimeout as delay } from 'node:timers/promises';
import { cancelTicket } from '../src/features/tickets/server/editing/ticket-edits.service.ts';
import { importTicket } from '../tests/support/lookups/tickets.ts';
import { readResidentMb } from '../tests/support/product/process-tree.ts';
import type { Bench, Row } from './support/bench.ts';
import { type LookupStage, setLookupStage } from './support/lookup-stage.ts';

/** `BENCH_ROWS=50000` makes a short run. Its memory figure says little, because the warm-up is a fixed part of the rows. */
const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
/** The fraction of the rows after which memory is sampled. */
const warm = 0.2;
const sampleMs = 250;
/** The limit for a cancellation to take effect. */
const cancelSeconds = 2;

/** Checks that a worker's memory stays flat for large tickets, both with requests and with cached results. */
export const bench: Bench = {
  title: `Lookups of ${rows} serials, first requested, then from the cache`,
  run,
};

async function run(): Promise<Row[]> {
  const stage = await setLookupStage({}, { workers: 0 });
  try {
    const { pid } = await stage.workers.start({ CACHE_HOURS: '24' });
    const serials = Array.from({ length: rows }, (_, n) => `M${String(n).padStart(9, '0')}`);
    const importRows = async () => {
      const id = await importTicket(stage.database.pool, serials);
      await stage.database.pool.query('ANALYZE serials');
      return id;
    };
    const asked = await measureTicket(stage, pid, await importRows());
    const cached = await measureTicket(stage, pid, await importRows());
    const cancelled = await measureCancel(stage, await importRows());
    const memory = (what: string, { maxMb, minMb }: Measured): Row => ({
      what: `memory of a warm worker, ${what}: maximum`,
      unit: 'MB',
      measured: maxMb,
      beside: 'minimum',
      reference: minMb,
      goal: Math.round(minMb) + 80,
    });
    return [
      memory('requested', asked),
      memory('from the cache', cached),
      {
        what: 'rows a second from the cache',
        unit: '/s',
        measured: cached.perSecond,
        beside: 'requested',
        reference: asked.perSecond,
        minRatio: 2,
      },
      {
        what: 'from the cancellation to the last cached row',
        unit: 's',
        measured: cancelled,
        beside: 'limit',
        reference: cancelSeconds,
        goal: cancelSeconds,
      },
    ];
  } finally {
    await stage.close();
  }
}

type Measured = { perSecond: number; maxMb: number; minMb: number };

/** Measures a ticket until it is completed. The rate counts from its first done row. */
async function measureTicket(stage: LookupStage, pid: number, id: number): Promise<Measured> {
  const samples: number[] = [];
  await stage.until(id, ({ done }) => done > 0);
  const first = (await stage.readTicket(id)).done;
  const began = performance.now();
  for (;;) {
    const { status, done } = await stage.readTicket(id);
    if (done >= rows * warm) samples.push(await readResidentMb(pid, 'worker'));
    if (status === 'Completed') break;
    await delay(sampleMs);
  }
  const seconds = (performance.now() - began) / 1000;
  return {
    perSecond: (rows - first) / seconds,
    maxMb: Math.max(...samples),
    minMb: Math.min(...samples),
  };
}

/** Cancels a ticket after a tenth of its rows. @returns seconds until the last row was written */
async function measureCancel({ database, until, readTicket }: LookupStage, id: number): Promise<number> {
  await until(id, ({ done }) => done > rows / 10);
  const asked = performance.now();
  await cancelTicket(database.db, id);
  let { done } = await readTicket(id);
  let last = performance.now();
  while (performance.now() - last < 2 * cancelSeconds * 1000) {
    await delay(20);
    const now = (await readTicket(id)).done;
    if (now !== done) last = performance.now();
    done = now;
  }
  if (done === rows)
    throw new Error('the ticket was completed before it was cancelled: BENCH_ROWS is too small');
  return (last - asked) / 1000;
}
