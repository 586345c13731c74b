import type { FastifyReply } from 'fastify';

/** Aborts when the answer is complete, or when the caller closes the connection before. */
export function closingOf(reply: FastifyReply): AbortSignal {
  const closing = new AbortController();
  reply.raw.once('close', () => closing.abort());
  return closing.signal;
}
