import { setTimeout as delay } from 'node:timers/promises';
import { cancelTicket } from '../src/features/tickets/server/history/ticket-changes.service.ts';
import type { Bench, Row } from './support/bench.ts';
import { type LookupStage, setLookupStage } from './support/lookup-stage.ts';

/** How soon do lookups go on after an outage, and end after a cancellation? */
export const bench: Bench = { title: 'Lookups around an outage and a cancellation', run };

async function run(): Promise<Row[]> {
  const stage = await setLookupStage({}, { workers: 2, latencyMs: 50 });
  try {
    const id = await stage.importSerials(200_000);
    await stage.until(id, ({ done }) => done > 1000);
    const back = await measureReturn(stage, id);
    const end = await measureCancel(stage, id);
    return [
      {
        what: 'from the return of the source to the next call',
        unit: 's',
        measured: back,
        beside: 'probes every',
        reference: 5,
        goal: 10,
      },
      {
        what: 'from the cancellation to the last new call of any worker',
        unit: 's',
        measured: end,
        beside: 'allowed',
        reference: 2,
        goal: 2,
      },
    ];
  } finally {
    await stage.close();
  }
}

async function measureReturn({ upstream, until }: LookupStage, id: number): Promise<number> {
  await upstream.vanish();
  await until(id, (ticket) => ticket.waiting_for === 'source');
  await delay(7000);
  const returned = performance.timeOrigin + performance.now();
  await upstream.comeBack();
  for (;;) {
    // The first call is a probe: the one after it shows that all go on.
    const after = (await upstream.report()).starts.filter((start) => start > returned);
    if (after[1] !== undefined) return (after[1] - returned) / 1000;
    await delay(100);
  }
}

async function measureCancel({ database, upstream }: LookupStage, id: number): Promise<number> {
  await delay(3000);
  await cancelTicket(database.db, id);
  const cancelled = performance.timeOrigin + performance.now();
  await delay(5000);
  const { starts } = await upstream.report();
  return Math.max(0, ...starts.map((start) => (start - cancelled) / 1000));
}
