import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Row } from './support/bench.ts';
import { setLookupStage } from './support/lookup-stage.ts';

const kills = 20;
const serials = 60_000;

/** Does a worker that is killed at any moment lose a row, or write one twice? */
export const bench: Bench = { title: `${kills} rounds of kill -9 over ${serials} serials`, run };

async function run(): Promise<Row[]> {
  const stage = await setLookupStage({}, { workers: 0, latencyMs: 20 });
  try {
    const id = await stage.importSerials(serials);
    for (let round = 0; round < kills; round++) {
      const before = (await stage.readTicket(id)).done;
      const worker = await stage.workers.start();
      await stage.until(id, ({ done }) => done > before);
      await delay(Math.random() * 1000);
      await worker.kill();
    }
    await stage.workers.start();
    await stage.until(id, ({ status }) => status === 'Completed');
    const ticket = await stage.readTicket(id);
    const { rows } = await stage.database.pool.query<{ done: number; finished: number }>(
      `SELECT count(*) FILTER (WHERE state = 'done') AS done,
         (SELECT sum(finished) FROM ticket_minutes WHERE ticket_id = $1) AS finished
       FROM serials WHERE ticket_id = $1`,
      [id],
    );
    const { calls } = await stage.upstream.report();
    const counts = Object.values(calls);
    const row = (what: string, measured: number, beside: string, reference: number, goal: number): Row => ({
      ...{ what, unit: 'rows', measured, beside, reference, goal },
    });
    return [
      row('rows lost', serials - (rows[0]?.done ?? 0), 'serials', serials, 0),
      row('rows counted twice', ticket.done + ticket.failed - serials, 'serials', serials, 0),
      row('rows counted twice by the minute', (rows[0]?.finished ?? 0) - serials, 'serials', serials, 0),
      {
        ...row('most calls for one serial', Math.max(...counts), '1 + kills', 1 + kills, 1 + kills),
        unit: 'calls',
      },
      {
        what: 'calls made again, for each kill',
        unit: 'calls',
        measured: (counts.reduce((sum, count) => sum + count, 0) - serials) / kills,
        beside: 'under way at once',
        reference: 64,
      },
    ];
  } finally {
    await stage.close();
  }
}
