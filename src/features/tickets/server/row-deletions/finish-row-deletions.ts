import type { FastifyInstance } from 'fastify';
import { Loop } from '#server/concurrency/loop.ts';
import type { Context } from '#server/runtime/context.ts';
import { resumeRowDeletions } from './row-deletions.service.ts';

/** How long until they are tried again, where the database could not be asked. */
const retryMs = 2000;
/** How often there is a look for deletions that failed half-way. */
const lookMs = 60_000;

/** Finishes, from the start of the API on, the deletions that were interrupted. */
export function finishRowDeletions(app: FastifyInstance, { db, log }: Context): void {
  let pauseMs = lookMs;
  const loop = new Loop(
    async () => {
      pauseMs = retryMs;
      await resumeRowDeletions(db);
      pauseMs = lookMs;
    },
    {
      pauseMs: () => pauseMs,
      onFailure: (error) =>
        log.warn({ err: error }, 'deletions that were interrupted could not be finished yet'),
    },
  );
  app.addHook('onReady', async () => loop.wake());
  app.addHook('onClose', () => loop.stop());
}
