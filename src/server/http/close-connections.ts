import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * At its close an API lets go of the connections that Node would keep: those on which nothing was asked yet, as browsers
 * hold in store, and those whose answer was still on its way. Each of them would hold up the end of the process.
 */
export function registerCloseOfConnections(app: FastifyInstance): void {
  const unasked = new Set<Socket>();
  let isClosing = false;
  app.server.on('connection', (socket) => {
    if (isClosing) return socket.destroy();
    unasked.add(socket);
    socket.once('close', () => unasked.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    unasked.delete(socket);
    response.once('close', () => {
      if (isClosing) app.server.closeIdleConnections();
    });
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of unasked) socket.destroy();
  });
}
