import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { resumeRowDeletions } from './row-deletions.service.ts';

/** Finishes, from the start of the API on, the deletions that a crash interrupted. */
export function finishRowDeletions(app: FastifyInstance, { db, log }: Context): void {
  let resuming: Promise<void> | undefined;
  app.addHook('onReady', async () => {
    resuming = resumeRowDeletions(db).catch((error: Error) =>
      log.error({ err: error }, 'deletions that a crash interrupted could not be finished'),
    );
  });
  app.addHook('onClose', () => resuming);
}
