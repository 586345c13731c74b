import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';
import { AppError, invalidField } from '#server/errors.ts';
import { fileMissing } from '#server/upload.ts';
import { ticketNumber as ticketNumberForm } from '#shared/answers.ts';
import { m } from '#shared/texts/messages.js';
import { makeUploadPath } from './upload-files.ts';

/** An upload on disk. */
export type ReceivedSheet = { path: string; fileName: string | null; ticketNumber: number | null };

const mostNameCharacters = 255;

/**
 * Streams the form's file to disk, never through memory.
 * @param field the form field that carries it
 * @throws AppError 400 without a file or for a form that cannot be read, 413 when the file is too large
 */
export async function receiveSheet(
  request: FastifyRequest,
  field: string,
  config: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB'>,
): Promise<ReceivedSheet> {
  if (!request.isMultipart()) throw fileMissing();
  const path = await makeUploadPath(config.DATA_DIR);
  try {
    return { path, ...(await receiveForm(request, field, path)) };
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof AppError) throw error;
    const { statusCode } = error as { statusCode?: number };
    if (statusCode === 413) throw tooLarge(config.MAX_UPLOAD_MB);
    if (typeof statusCode === 'number' || request.raw.destroyed) throw malformed();
    throw error;
  }
}

async function receiveForm(request: FastifyRequest, field: string, path: string) {
  let fileName: string | undefined;
  let ticketNumber = '';
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.fieldname === 'ticket_number') ticketNumber = String(part.value).trim();
    } else if (part.fieldname === field && part.filename) {
      fileName = part.filename;
      await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    } else {
      part.file.resume();
    }
  }
  if (fileName === undefined) throw fileMissing();
  if (ticketNumber !== '' && !ticketNumberForm.safeParse(ticketNumber).success) {
    throw invalidField('ticket_number', (locale) => m.server_ticket_number_form({}, { locale }));
  }
  return {
    fileName: cleanName(fileName),
    ticketNumber: ticketNumber === '' ? null : Number(ticketNumber),
  };
}

/** The name without folders of either kind and without control characters. */
function cleanName(name: string): string | null {
  const base = win32.basename(posix.basename(name)).replaceAll(/\p{Cc}/gu, '');
  return base.toWellFormed().slice(0, mostNameCharacters) || null;
}

function tooLarge(maximum: number): AppError {
  return new AppError(413, 'too_large', (locale) =>
    m.server_import_too_large({ maximum: String(maximum) }, { locale }),
  );
}

function malformed(): AppError {
  return new AppError(400, 'malformed', (locale) => m.server_malformed({}, { locale }));
}
