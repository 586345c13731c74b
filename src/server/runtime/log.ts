import { pino } from 'pino';
import { GatheredLines } from './gathered-lines.ts';

/** Paths that never reach a log line, wherever an object with them is logged. */
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

const standardError = new GatheredLines();

/**
 * A structured logger that writes JSON lines to standard error, so that standard output carries only what the
 * commands promise to print.
 * @param name the process's role: main, api, worker
 */
export function createLog(name: string, level: string) {
  return pino({ name, level, redact: { paths: secretPaths, censor: '[secret]' } }, standardError);
}

export type Log = ReturnType<typeof createLog>;
