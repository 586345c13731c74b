import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { getStatus } from '../operations.contract.ts';
import { noteDatabaseSizes } from './database-sizes.ts';
import { registerOperationsMetrics } from './operations-metrics.ts';
import { scheduleRetention } from './retention/schedule-retention.ts';
import { scheduleBackups } from './scheduled-backups.ts';
import { readStatus } from './status.service.ts';

/** Serves the status of the product, its metrics, the sizes of the database, the scheduled backups and the retention. */
export function registerOperations(app: FastifyInstance, context: Context): void {
  route(app, getStatus, () => readStatus(context));
  registerOperationsMetrics(app.metrics, context);
  noteDatabaseSizes(app, context);
  scheduleBackups(app, context);
  scheduleRetention(app, context);
}
