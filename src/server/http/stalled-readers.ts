import type { FastifyInstance } from 'fastify';

/** As long as the interval over which the pace of a download is measured. */
export const stalledReaderMs = 120_000;

/**
 * Closes connections whose client has not read any byte of the response for `afterMs`. Each holds the rest of the response
 * in memory.
 */
export function registerStalledReaders(app: FastifyInstance, afterMs: number): void {
  app.server.on('request', (_, response) => {
    response.setTimeout(afterMs, () => {
      // A response that is still being made is not stalled.
      if (response.writableLength === 0) return;
      app.log.warn('the connection of a response that was not read was closed');
      response.destroy();
    });
  });
}
