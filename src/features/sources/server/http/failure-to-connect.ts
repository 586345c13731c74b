import { type Fault, HttpFailure } from './http-failure.ts';

/** Describes a failed attempt to connect. */
export function failureToConnect(
  fault: Extract<Fault, 'unreachable' | 'proxy' | 'target_unreachable'>,
  error: unknown,
): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = error instanceof AggregateError ? (error.errors[0] as Error).message : message;
  return new HttpFailure(fault, code && !reason.includes(code) ? `${code} ${reason}`.trim() : reason, {
    cause: error,
  });
}
