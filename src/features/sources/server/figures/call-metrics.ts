import { Counter, type Registry } from 'prom-client';
import type { Db } from '#server/db/db.ts';
import { fromDatabase } from '#server/monitoring/database-metric.ts';
import { listCallTotals } from './call-counts.queries.ts';

/** Adds a metric of the calls of all workers, read from the database whenever the metrics are. */
export function registerCallMetrics(registry: Registry, db: Db): void {
  new Counter({
    name: 'coverdesk_lookups_total',
    help: 'Calls to sources by outcome, of all workers; every API process has the same numbers',
    labelNames: ['source', 'outcome'],
    registers: [registry],
    collect: fromDatabase<Counter<'source' | 'outcome'>>(async (counter) => {
      const totals = await listCallTotals.all(db);
      // At once, as another collection may have waited for the database at the same time.
      counter.reset();
      for (const { source, outcome, calls } of totals) counter.inc({ source, outcome }, calls);
    }),
  });
}
