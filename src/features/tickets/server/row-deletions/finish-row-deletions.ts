import type { FastifyInstance } from 'fastify';
import { Loop } from '#server/concurrency/loop.ts';
import type { Context } from '#server/runtime/context.ts';
import { resumeRowDeletions } from './row-deletions.service.ts';

const pauseMs = 20_000;

/** Finishes interrupted deletions, from the start of the API on. */
export function finishRowDeletions(app: FastifyInstance, { db, log }: Context): void {
  const loop = new Loop(() => resumeRowDeletions(db), {
    pauseMs: () => pauseMs,
    onFailure: (err) => log.warn({ err }, 'deletions that were interrupted could not be finished yet'),
  });
  app.addHook('onReady', async () => loop.wake());
  app.addHook('onClose', () => loop.stop());
}
