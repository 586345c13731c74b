/** A call that failed: the server's words, or an empty message when it could not be reached. */
export class ApiFailure extends Error {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The server's machine word; `unreachable` when no answer came. */
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

/** The words to show for a failure: the server's if it said any, else `fallback`. */
export function describeFailure(error: unknown, fallback: string): string {
  return error instanceof ApiFailure && error.message !== '' ? error.message : fallback;
}

/** Returns whether there is nothing under the number or id that was asked for: another try finds it no more. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.status === 400);
}

/** Returns whether a call was cancelled; that needs no message. */
export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
