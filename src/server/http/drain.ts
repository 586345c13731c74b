import { Server } from 'node:net';
import { setTimeout as delay, setImmediate as nextRound } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

/**
 * How far the API is with its end. It `isReady` until it drains, and `listens` for a while longer. `requests` has those
 * that are not answered yet.
 */
type Drain = { isReady: boolean; listens: boolean; requests: Set<Promise<unknown>> };

/** How long the API listens after it has stopped being ready: a reverse proxy may ask once per second. */
const lingerMs = 1200;
/** How long kept-alive connections are used after that. A reverse proxy without health checks sends new requests on them. */
const lastRequestsMs = 1000;
/** A round in which little else happened. A process that is never that quiet stops waiting after some seconds. */
const quietMs = 0.3;
const maxRounds = 1000;

/** Lets a kept-alive connection end with its next answer once the API no longer listens. Call it before the routes. */
export function registerDrain(app: FastifyInstance): void {
  const drain: Drain = { isReady: true, listens: true, requests: new Set() };
  app.decorate('drain', drain);
  app.addHook('onRequest', async (_, reply) => {
    if (!drain.listens) reply.header('connection', 'close');
    const answered = new Promise((resolve) => reply.raw.once('close', resolve));
    drain.requests.add(answered);
    void answered.then(() => drain.requests.delete(answered));
  });
}

/**
 * Ends the API without losing a request: it stops being ready, listens until reverse proxies have noticed it, answers the
 * requests of kept-alive connections for another while, and closes when all are answered.
 */
export async function drainApi(app: FastifyInstance): Promise<void> {
  app.drain.isReady = false;
  await delay(lingerMs);
  await waitForQuietRound();
  // The HTTP server's own `close` would also close kept-alive connections, on which a request may be arriving.
  Server.prototype.close.call(app.server);
  app.drain.listens = false;
  // Requests that began until now leave their connections open. A reverse proxy may use one again at once, such as that of a
  // long download.
  await Promise.all(app.drain.requests);
  await delay(lastRequestsMs);
  await app.close();
}

/**
 * Waits for a short round of the event loop, which has just accepted all waiting connections: the system resets those that
 * still wait when the listener is closed.
 */
async function waitForQuietRound(): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const began = performance.now();
    await nextRound();
    if (performance.now() - began < quietMs) return;
  }
}
