import type { Failure } from '#shared/answers.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

/** Writes one text in the caller's language. */
export type Text = (locale: Locale) => string;

/**
 * A failure that the caller is told about, in the API's one shape.
 * @param status the HTTP status: 400, 401, 403, 404, 409, 413, 415, 422, 429 or 507
 * @param code machine word, stable
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly text: Text;
  readonly details: { path: string; message: Text }[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    text: Text,
    more: { details?: { path: string; message: Text }[]; retryAfterSeconds?: number } = {},
  ) {
    super(text('en'));
    this.status = status;
    this.code = code;
    this.text = text;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** A failure as the API answers it. */
export function toFailure(error: AppError, locale: Locale): Failure {
  const message = error.text(locale);
  const details = error.details?.map(({ path, message: text }) => ({ path, message: text(locale) }));
  return { message, error: message, code: error.code, ...(details && { details }) };
}

/** 503 for what cannot be answered as long as the database does not answer. */
export function unavailable(): AppError {
  return new AppError(503, 'unavailable', (locale) => m.server_unavailable({}, { locale }));
}

/**
 * An id that a caller named, where there may be such a row.
 * @throws what `notFound` makes
 */
export function requireId(id: number | null, notFound: () => AppError): number {
  if (id === null) throw notFound();
  return id;
}

/** 400 for one field that is readable but names something unusable. */
export function invalidField(path: string, text: Text): AppError {
  return new AppError(400, 'invalid', text, { details: [{ path, message: text }] });
}
