import type { FastifyInstance } from 'fastify';

/** How fast the body of a request has to come: so many bytes in every stretch of time. */
export type BodyPace = { leastBytes: number; everyMs: number };

/** 4 KB a second, a tenth of what a phone has in a poor network. */
export const patientBodyPace: BodyPace = { leastBytes: 240 * 1024, everyMs: 60_000 };

/** A request that is not here whole by then is given up, however fast it comes; a body has an hour. */
export const requestTimeoutMs = 3_600_000;

/**
 * Cuts connections whose body trickles in: each holds memory or a place on the disk. How much came is read off the
 * connection, so that a body counts that nobody has begun to read.
 */
export function registerBodyPace(app: FastifyInstance, { leastBytes, everyMs }: BodyPace): void {
  app.addHook('onRequest', async ({ raw, log }) => {
    if (raw.complete || !hasBody(raw.headers)) return;
    let before = raw.socket.bytesRead;
    const watch = setInterval(() => {
      const now = raw.socket.bytesRead;
      // A body that waits for us is not slow.
      if (raw.complete || raw.destroyed) clearInterval(watch);
      else if (now - before < leastBytes && !raw.isPaused() && raw.readableLength === 0) {
        log.warn('a body that came too slowly was cut');
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
