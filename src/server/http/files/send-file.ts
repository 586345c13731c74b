import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { abortOnClose } from '#server/runtime/abort-on-close.ts';

/** A file whose first bytes are ready, and its name for saving, without the ending. */
export type OpenedFile<Content = Readable> = { content: Content; name: string };

export const contentTypes = {
  excel: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
};
const endings = { excel: 'xlsx', json: 'json', pdf: 'pdf' };

/**
 * Sends a file as a download.
 * @param open opens the file; its signal aborts when the caller disconnects
 */
export async function sendFile(
  reply: FastifyReply,
  format: keyof typeof contentTypes,
  open: (signal: AbortSignal) => Promise<OpenedFile<Readable | Buffer>>,
): Promise<FastifyReply> {
  const signal = abortOnClose(reply);
  const file = await open(signal).catch((error: Error) => {
    if (!signal.aborted) throw error;
  });
  if (!file) return reply.hijack();
  return reply
    .type(contentTypes[format])
    .header('content-disposition', describeAttachment(`${file.name}.${endings[format]}`))
    .header('cache-control', 'no-store')
    .send(file.content);
}

/** Returns the Content-Disposition of a file (RFC 6266), whose name is encoded too where it is not plain ASCII. */
export function describeAttachment(name: string): string {
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
