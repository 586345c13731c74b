import type { Failure } from '#shared/answers.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

/** Returns a text in a language, as the functions of `m` do. */
type Message<Params> = (params: Params, options: { locale: Locale }) => string;

/** A text without parameters, or one that was given them by `fill`. */
export type Text = Message<Record<never, never>>;

/** Gives a text its parameters. */
export function fill<Params>(message: Message<Params>, params: Params): Text {
  return (_, options) => message(params, options);
}

/**
 * An expected failure, which is sent to the caller.
 * @param status the HTTP status
 * @param code a stable identifier for programs
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
    super(text({}, { locale: 'en' }));
    this.status = status;
    this.code = code;
    this.text = text;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Returns the response body of a failure. */
export function toFailure(error: AppError, locale: Locale): Failure {
  const message = error.text({}, { locale });
  const details = error.details?.map(({ path, message: text }) => ({ path, message: text({}, { locale }) }));
  return { message, error: message, code: error.code, ...(details && { details }) };
}

/** Returns the error for a call that cannot be answered without the database: 503. */
export function unavailable(): AppError {
  return new AppError(503, 'unavailable', m.server_unavailable);
}

/**
 * Refuses a change that is based on another version than the current one. Without a version it always passes.
 * @throws AppError 409
 */
export function requireVersion(based: number | undefined, current: number, text: Text): void {
  if (based !== undefined && based !== current) throw new AppError(409, 'changed_meanwhile', text);
}

/** Returns the error for one field with an unusable value: 400. */
export function invalidField(path: string, text: Text, code = 'invalid'): AppError {
  return new AppError(400, code, text, { details: [{ path, message: text }] });
}

/** Returns the error for one field with a character that cannot be stored: 400. */
export function unusableField(path: string): AppError {
  return invalidField(path, (_, { locale }) =>
    m.server_field_invalid({ field: path || m.server_field_body({}, { locale }) }, { locale }),
  );
}
