import { Gauge, type Registry } from 'prom-client';
import type { Db } from '#server/db/db.ts';
import { fromDatabase } from '#server/monitoring/database-metric.ts';
import { ticketStatus } from '../tickets.contract.ts';
import { countTicketsByStatus } from './tickets.queries.ts';

/** Adds a metric of the tickets by status, counted whenever the metrics are read. */
export function registerTicketMetrics(registry: Registry, db: Db): void {
  new Gauge({
    name: 'coverdesk_tickets',
    help: 'Tickets by status',
    labelNames: ['status'],
    registers: [registry],
    collect: fromDatabase<Gauge<'status'>>(async (gauge) => {
      const counts = new Map(
        (await countTicketsByStatus.all(db, { companyCode: undefined })).map((row) => [
          row.status,
          row.count,
        ]),
      );
      for (const status of ticketStatus.options) gauge.set({ status }, counts.get(status) ?? 0);
    }),
  });
}
