import type { FastifyInstance } from 'fastify';
import { Loop } from '#server/concurrency/loop.ts';
import type { Log } from './log.ts';

/**
 * Repeats work from the start of the API until it closes. Every API process does so.
 * @param work one round, which should end soon once its signal aborts; resolves with true if the next should follow at once
 * @param failure logged with the error of a failed round, after which the work goes on
 */
export function repeatWork(
  app: FastifyInstance,
  log: Log,
  { everyMs, failure }: { everyMs: number; failure: string },
  work: (signal: AbortSignal) => Promise<unknown>,
): Loop {
  const controller = new AbortController();
  const loop = new Loop(() => work(controller.signal), {
    pauseMs: () => everyMs,
    onFailure: (err) => log.warn({ err }, failure),
  });
  app.addHook('onReady', async () => loop.wake());
  app.addHook('onClose', async () => {
    controller.abort();
    await loop.stop();
  });
  return loop;
}
