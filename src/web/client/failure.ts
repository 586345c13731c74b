import { m } from '#shared/texts/messages.js';

/** A failed call. Its message is the server's, or empty if there was no answer. */
export class ApiFailure extends Error {
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The `code` of the server's answer; `unreachable` without an answer. */
  readonly code: string;
  readonly details: { path: string; message: string }[];

  constructor(status: number, body: unknown) {
    const answer = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    const text = answer.message ?? answer.error;
    super(typeof text === 'string' ? text : '');
    this.name = 'ApiFailure';
    this.status = status;
    this.code = typeof answer.code === 'string' ? answer.code : status === 0 ? 'unreachable' : 'unknown';
    this.details = Array.isArray(answer.details) ? answer.details : [];
  }
}

/** Returns the message to show for a failure: the server's, or `fallback` if it sent none. */
export function describeFailure(error: unknown, fallback: string): string {
  if (!(error instanceof ApiFailure)) return fallback;
  // The browser's own failure, whose text follows the language.
  if (error.code === 'file_changed') return m.common_file_changed();
  return error.message === '' ? fallback : error.message;
}

/**
 * Returns whether the server may have made the change although the call failed. A repeat then needs the same
 * Idempotency-Key: cancelled, no answer, or a failure of the server or a proxy. 410 is no answer, too: the file of an upload
 * cannot be read any more.
 */
export function isEndUnknown(failure: unknown): boolean {
  return !(failure instanceof ApiFailure) || [0, 410].includes(failure.status) || failure.status >= 500;
}

/** Statuses of a call that may have been done: no answer (0), or a proxy that got none from the server. */
const unanswered = [0, 502, 504];

/** Returns whether the server's answer to a call did not arrive, so that nobody knows whether it was done. */
export function isUnanswered(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.message === '' && unanswered.includes(failure.status);
}

/**
 * Returns the message to show for a failed change: as `describeFailure`, but without an answer, a line that it may have
 * been made in place of the fallback's last sentence, such as "Nothing was changed; please try again." A fallback of one
 * phrase ("Failed to create ticket") stays whole.
 */
export function describeFailedChange(failure: unknown, fallback: string): string {
  if (!isUnanswered(failure)) return describeFailure(failure, fallback);
  return `${fallback.replace(/(?<=\.) [^.]*\.$/, '')}\n${m.common_change_unanswered()}`;
}

/** The parameters that name the requested object. */
const identifiers = ['ticket_number', 'ticket', 'id', 'company_code'];

/**
 * Returns whether the requested object does not exist: 404, or 400 for an id that is not valid. A retry would be useless.
 */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false;
  const isRefused = error.details.some(({ path }) => identifiers.includes(path));
  return error.status === 404 || (error.status === 400 && isRefused);
}

/** Returns whether the server refused a change because it was based on an older version of the object. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiFailure && ['changed_meanwhile', 'fields_changed'].includes(error.code);
}

/** Returns whether a call was cancelled, which needs no message. */
export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
