import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a new connection may stay without a request when the server closes. */
const graceMs = 500;

/**
 * Closes, when the server closes, the connections that Node would keep open: those that browsers opened in advance and
 * have not used, and those with a response in progress, after the response. Each would delay the end of the process.
 */
export function registerCloseOfConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let isClosing = false;
  app.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    response.once('close', () => {
      if (isClosing) app.server.closeIdleConnections();
    });
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    const destroyUnused = () => {
      for (const socket of unused) socket.destroy();
    };
    // The immediate lets a busy process read the requests that have arrived by then.
    setTimeout(() => setImmediate(destroyUnused), graceMs).unref();
  });
}
