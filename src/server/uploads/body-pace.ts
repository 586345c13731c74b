import type { FastifyInstance } from 'fastify';

/** The slowest accepted body of a request: at least `minBytes` in each interval. */
export type BodyPace = { minBytes: number; everyMs: number };

/** 4 KB/s, a tenth of a poor phone network. */
export const defaultBodyPace: BodyPace = { minBytes: 240 * 1024, everyMs: 60_000 };

/** The maximum time to receive a whole request. */
export const requestTimeoutMs = 3_600_000;

/**
 * Closes connections that send a body too slowly, because each holds memory or disk space. Counts the bytes received on
 * the connection, so that it also sees a body that is not being read yet.
 */
export function registerBodyPace(app: FastifyInstance, { minBytes, everyMs }: BodyPace): void {
  app.addHook('onRequest', async ({ raw, log }) => {
    if (raw.complete || !hasBody(raw.headers)) return;
    let before = raw.socket.bytesRead;
    const watch = setInterval(() => {
      const now = raw.socket.bytesRead;
      // A body that the server does not read is not slow.
      if (raw.complete || raw.destroyed) clearInterval(watch);
      else if (now - before < minBytes && !raw.isPaused() && raw.readableLength === 0) {
        log.warn('the connection of a slow request body was closed');
        raw.socket.destroy();
      }
      before = now;
    }, everyMs).unref();
    raw.once('close', () => clearInterval(watch));
  });
}

function hasBody(headers: Record<string, unknown>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
