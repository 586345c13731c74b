import type { FastifyReply, FastifyRequest } from 'fastify';

/** The maximum size of a JSON body that counts as no upload. */
export const usualBodyBytes = 1024 * 1024;
/**
 * The maximum size of a body without a session. About twice what the longest password and address take with each character
 * escaped.
 */
export const publicBodyBytes = 16 * 1024;

/**
 * Reserves the room of an upload for a JSON body of more than 1 MB, or of unknown size, until the call is answered. Called
 * before the body is read, because a parsed body is in memory while its call waits for a slot.
 * @throws AppError 429, 507 as `UploadRoom.enter`
 */
export async function holdLargeBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { caller, headers, routeOptions, server } = request;
  const bytes = Number(headers['content-length'] ?? routeOptions.bodyLimit);
  if (bytes <= usualBodyBytes) return;
  if (!caller) throw new Error('a large body needs a signed-in caller');
  const leave = await server.uploadRoom.enter(server.db, caller, bytes);
  if (reply.raw.closed) await leave();
  else reply.raw.once('close', leave);
}
