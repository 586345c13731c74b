import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts when the response is complete or the caller disconnects. */
export function abortOnClose(reply: FastifyReply): AbortSignal {
  const closing = new AbortController();
  reply.raw.once('close', () => closing.abort());
  return closing.signal;
}
