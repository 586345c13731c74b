import { Server } from 'node:net';
import { setTimeout as delay, setImmediate as nextRound } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

/**
 * The progress of the API's shutdown. `isReady`: load balancers may send calls. `listens`: connections are still accepted.
 * `requests`: calls that are not answered yet.
 */
type Drain = { isReady: boolean; listens: boolean; requests: Set<Promise<unknown>> };

/** How long the API listens after it has stopped being ready: a reverse proxy may ask once per second. */
export const lingerMs = 1200;
/** How long kept-alive connections are used after that. A reverse proxy without health checks sends new requests on them. */
const lastRequestsMs = 1000;
/** A shorter round of the event loop counts as quiet. A process that is never quiet stops waiting after `maxRounds`. */
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
  await waitForQuietRound(app.server);
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
 * Waits for a quiet round of the event loop that accepted no connection. Then none waits to be accepted; the system would
 * reset it when the listener closes. Node accepts one connection per round.
 */
async function waitForQuietRound(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let round = 0; round < maxRounds; round++) {
    const [began, before] = [performance.now(), accepted];
    await nextRound();
    if (accepted === before && performance.now() - began < quietMs) break;
  }
  server.off('connection', count);
}
