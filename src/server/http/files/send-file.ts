import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { closingOf } from '#server/runtime/closing.ts';

/** A file that is made while it is read, its first bytes ready, and the name under which it is saved. */
export type OpenedFile = { stream: Readable; fileName: string };

export const contentTypes = {
  excel: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
};

/**
 * Answers with a file to save.
 * @param open makes the file; its signal aborts when the caller has gone
 */
export async function sendFile(
  reply: FastifyReply,
  format: keyof typeof contentTypes,
  open: (gone: AbortSignal) => Promise<OpenedFile>,
): Promise<FastifyReply> {
  const gone = closingOf(reply);
  const file = await open(gone).catch((error: Error) => {
    if (!gone.aborted) throw error;
  });
  if (!file) return reply.hijack();
  return reply
    .type(contentTypes[format])
    .header('content-disposition', `attachment; filename="${file.fileName}"`)
    .header('cache-control', 'no-store')
    .send(file.stream);
}
