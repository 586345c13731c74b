import type { FastifyInstance } from 'fastify';
import { Loop } from '#server/concurrency/loop.ts';
import type { Context } from '#server/runtime/context.ts';
import { publishDeviceChanges } from './events/device-changes.service.ts';

/** Changes of devices wait this long for others, to be told together. */
const deviceChangesMs = 2000;

/** Publishes the events of changed devices. */
export function registerWebhooks(app: FastifyInstance, context: Context): void {
  const { db, config, log } = context;
  const round = new Loop(() => publishDeviceChanges(db, config.APP_TIMEZONE), {
    pauseMs: () => deviceChangesMs,
    onFailure: (err) => log.warn({ err }, 'changes of devices could not be told yet and will be tried again'),
  });
  app.addHook('onReady', async () => round.start());
  app.addHook('onClose', () => round.stop());
}
