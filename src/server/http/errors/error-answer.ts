import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isTransientFailure } from '#server/db/connection/connection.ts';
import { noRoom } from '#server/uploads/upload-room.ts';
import type { Failure } from '#shared/answers.ts';
import { type Locale, localeOf } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { findText } from '../find-text.ts';
import { AppError, toFailure, unusableField } from './errors.ts';
import { describeIssue } from './issue-text.ts';

/** The codes of the statuses that Fastify itself raises while it reads a request. */
const frameworkCodes = new Map([
  [400, 'malformed'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [413, 'too_large'],
  [415, 'unsupported_media_type'],
]);

/** PostgreSQL's codes for a NUL character: in a text, and in JSON. */
const nulRefused = new Set<string | undefined>(['22021', '22P05']);
const hasNul = (text: string) => text.includes('\0');
/** Retry-After when the database is unavailable. Most interruptions last seconds. */
const unavailableSeconds = 5;
/** Codes of the file system and of PostgreSQL for a full disk. */
const diskFull = new Set<string | undefined>(['ENOSPC', 'EDQUOT', '53100']);

function failureOf(
  error: FastifyError | AppError,
  { params, body }: FastifyRequest,
  locale: Locale,
): { status: number; body: Failure } {
  const answer = (status: number, code: string, message: string, details?: Failure['details']) => ({
    status,
    body: { message, error: message, code, ...(details && { details }) },
  });
  if (error instanceof AppError) return { status: error.status, body: toFailure(error, locale) };
  if (hasZodFastifySchemaValidationErrors(error)) {
    const details = error.validation.map((issue) => describeIssue(issue, locale));
    return answer(400, 'invalid', details[0]?.message ?? m.server_invalid({}, { locale }), details);
  }
  if (diskFull.has(error.code)) return { status: 507, body: toFailure(noRoom(), locale) };
  // A NUL character, which PostgreSQL refuses, can only come from the caller. `route` refuses it in queries.
  const nul = nulRefused.has(error.code) ? (findText(params, hasNul) ?? findText(body, hasNul)) : undefined;
  if (nul !== undefined) return { status: 400, body: toFailure(unusableField(nul), locale) };
  const unexpected = isTransientFailure(error) ? 503 : 500;
  const status = error.statusCode ?? (nulRefused.has(error.code) ? 400 : unexpected);
  const code = frameworkCodes.get(status);
  if (code === 'too_large') return answer(413, code, m.server_too_large({}, { locale }));
  if (code === 'unsupported_media_type') {
    return answer(415, code, m.server_unsupported_media_type({}, { locale }));
  }
  if (code) return answer(status, code, m.server_malformed({}, { locale }));
  if (status === 503) return answer(503, 'unavailable', m.server_unavailable({}, { locale }));
  return answer(500, 'internal', m.server_internal({}, { locale }));
}

/** Sends a failure in the common shape. An unexpected error is logged with its stack, and its message is not sent. */
export function answerError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = failureOf(error, request, localeOf(request.headers['accept-language']));
  if (status >= 500 && !(error instanceof AppError)) request.log.error({ err: error }, 'a request failed');
  else if (status === 507) request.log.warn('an upload was refused because the disk is full');
  if (status === 413) receiveRest(request, reply);
  const ownRetryAfter = error instanceof AppError ? error.retryAfterSeconds : undefined;
  const retryAfter = ownRetryAfter ?? (status === 503 ? unavailableSeconds : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  return reply.status(status).send(body);
}

/**
 * Receives and drops the rest of a body that is too large. Fastify would close the connection, and a caller or a reverse
 * proxy that is still sending would see a reset in place of the answer.
 */
function receiveRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  reply.removeHeader('connection');
  raw.resume();
}
