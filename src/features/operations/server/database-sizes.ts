import type { FastifyInstance } from 'fastify';
import { Loop } from '#server/concurrency/loop.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { noteDatabaseSize } from './operations.queries.ts';

const pauseMs = 3_600_000;

/** Notes the size of the database once a day, by whichever API process comes first. */
export function noteDatabaseSizes(app: FastifyInstance, { db, config, log, now }: Context): void {
  const loop = new Loop(() => noteDatabaseSize(db, dayIn(config.APP_TIMEZONE, now())), {
    pauseMs: () => pauseMs,
    onFailure: (err) => log.warn({ err }, 'the size of the database could not be noted'),
  });
  app.addHook('onReady', async () => loop.wake());
  app.addHook('onClose', () => loop.stop());
}
