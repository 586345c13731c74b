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
  return error instanceof ApiFailure && error.message !== '' ? error.message : fallback;
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
  return error instanceof ApiFailure && error.code === 'changed_meanwhile';
}

/** Returns whether a call was cancelled, which needs no message. */
export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
