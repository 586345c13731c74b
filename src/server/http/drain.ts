import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** `hasBegun` while the API answers its last requests. It is no longer ready then. */
    drain: { hasBegun: boolean };
  }
}

/** How long the API listens after it has stopped being ready: a reverse proxy may ask once per second. */
const lingerMs = 1200;

/** Ends kept-alive connections with their next answer once the drain has begun. Call it before the routes are registered. */
export function registerDrain(app: FastifyInstance): void {
  const drain = { hasBegun: false };
  app.decorate('drain', drain);
  app.addHook('onRequest', async (_, reply) => {
    if (drain.hasBegun) reply.header('connection', 'close');
  });
}

/** Stops being ready, goes on listening until reverse proxies have noticed it, answers all requests, and closes the API. */
export async function drainApi(app: FastifyInstance): Promise<void> {
  app.drain.hasBegun = true;
  await delay(lingerMs);
  await app.close();
}
