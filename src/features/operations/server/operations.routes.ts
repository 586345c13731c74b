import type { FastifyInstance } from 'fastify';
import { deleteOldChanges } from '#server/http/idempotent-changes.queries.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import { dayIn } from '#shared/calendar-day.ts';
import * as contract from '../operations.contract.ts';
import { noteDatabaseSize } from './operations.queries.ts';
import { registerOperationsMetrics } from './operations-metrics.ts';
import { deleteOldData } from './retention/retention.service.ts';
import { scheduleBackups } from './scheduled-backups.ts';
import { readStatus } from './status.service.ts';

const hourMs = 3_600_000;

/**
 * Serves the status of the product, its metrics, the sizes of the database, the scheduled backups and the retention, also that
 * of answers under an Idempotency-Key.
 */
export function registerOperations(app: FastifyInstance, context: Context): void {
  const { db, config, log, now } = context;
  route(app, contract, 'getStatus', () => readStatus(context));
  registerOperationsMetrics(app.metrics, app.metricsDb, context);
  // Noted once a day, by whichever API process comes first.
  const sizes = { everyMs: hourMs, failure: 'the size of the database could not be noted' };
  repeatWork(app, log, sizes, () => noteDatabaseSize.run(db, { day: dayIn(config.APP_TIMEZONE, now()) }));
  scheduleBackups(app, context);
  const retention = { everyMs: hourMs, failure: 'old data could not be deleted' };
  repeatWork(app, log, retention, (signal) => deleteOldData(context, signal));
  const answers = { everyMs: hourMs, failure: 'answers under an Idempotency-Key could not be deleted' };
  repeatWork(app, log, answers, () => deleteOldChanges.run(db));
}
