import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * An `onSend` hook that sets the ETag of a successful response of a `tagged` endpoint, a hash of the body, and sends 304
 * without a body if If-None-Match names it.
 */
export async function answerConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { tagged } = request.routeOptions.config.endpoint ?? {};
  if (!tagged || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  const tag =
    tagged === true ? `"${hashText(payload)}"` : `W/"${hashText(leaveOut(payload, tagged.without))}"`;
  reply.header('etag', tag);
  if (!isNamed(tag, request.headers['if-none-match'])) return payload;
  reply.status(304).removeHeader('content-type');
  return '';
}

function hashText(text: string): string {
  return hash('sha256', text, 'base64url');
}

function leaveOut(json: string, names: readonly string[]): string {
  return JSON.stringify(JSON.parse(json), (name, value) => (names.includes(name) ? undefined : value));
}

/** Compares weakly (RFC 9110, 13.1.2), because a proxy that compresses a response makes its ETag weak. */
function isNamed(tag: string, ifNoneMatch = ''): boolean {
  const bare = (one: string) => one.trim().replace(/^W\//, '');
  const tags = ifNoneMatch.split(',').map(bare);
  return tags.includes(bare(tag)) || tags.includes('*');
}
