import { pino } from 'pino';

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

/**
 * A structured logger that writes JSON lines to standard error, so that standard output carries only what the
 * commands promise to print. Each line is written before the call returns, so a process that dies loses none.
 * @param name the process's role: main, api, worker
 */
export function createLog(name: string, level: string) {
  const redact = { paths: secretPaths, censor: '[secret]' };
  return pino({ name, level, redact }, pino.destination({ dest: 2, sync: true }));
}

export type Log = ReturnType<typeof createLog>;
