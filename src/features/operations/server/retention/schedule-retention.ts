import type { FastifyInstance } from 'fastify';
import { Loop } from '#server/concurrency/loop.ts';
import type { Context } from '#server/runtime/context.ts';
import { deleteOldData } from './retention.service.ts';

const pauseMs = 3_600_000;

/** Deletes data after RETENTION_DAYS_UPLOADS and RETENTION_DAYS_RESULTS, from the start of the API on. */
export function scheduleRetention(app: FastifyInstance, context: Context): void {
  const ending = new AbortController();
  const loop = new Loop(() => deleteOldData(context, ending.signal), {
    pauseMs: () => pauseMs,
    onFailure: (err) => context.log.warn({ err }, 'old data could not be deleted'),
  });
  app.addHook('onReady', async () => loop.wake());
  app.addHook('onClose', async () => {
    ending.abort();
    await loop.stop();
  });
}
