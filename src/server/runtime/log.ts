import { pino, stdSerializers } from 'pino';
import { writeToStandardError } from './standard-error.ts';
import { StartError } from './start-error.ts';

/** Paths that are removed from every logged object. */
const secretPaths = [
  'password',
  'token',
  'authorization',
  'currentPassword',
  'newPassword',
  'req.headers.authorization',
  'req.headers.cookie',
  'headers.authorization',
  '*.password',
  '*.token',
  '*.authorization',
];

/**
 * Creates a logger that writes JSON lines to standard error, because standard output is for the lines that the commands
 * print.
 * @param name the role of the process: main, api, worker
 */
export function createLog(name: string, level: string) {
  const redact = { paths: secretPaths, censor: '[secret]' };
  const options = { name, level, redact, serializers: { err: describeError } };
  return pino(options, { write: writeToStandardError });
}

export type Log = ReturnType<typeof createLog>;

/** Describes an error for the log. Errors of the operator's files and addresses have no stack, which says nothing about them. */
function describeError(error: Error): object {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!(error instanceof StartError) && syscall === undefined) return stdSerializers.err(error);
  return { type: error.constructor.name, message: error.message, code };
}
