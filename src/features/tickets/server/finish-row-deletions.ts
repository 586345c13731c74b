import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { Loop } from '#server/loop.ts';
import { resumeRowDeletions } from './row-deletions.service.ts';

/** How long until they are tried again, where the database could not be asked. */
const retryMs = 2000;

/** Finishes, from the start of the API on, the deletions that a crash interrupted. */
export function finishRowDeletions(app: FastifyInstance, { db, log }: Context): void {
  const loop = new Loop(
    async () => {
      await resumeRowDeletions(db);
      void loop.stop();
    },
    {
      pauseMs: () => retryMs,
      onFailure: (error) =>
        log.warn({ err: error }, 'deletions that a crash interrupted could not be finished yet'),
    },
  );
  app.addHook('onReady', async () => loop.wake());
  app.addHook('onClose', () => loop.stop());
}
