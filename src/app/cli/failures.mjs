/** The error of wrong usage: exit code 2. */
export class UsageError extends Error {}

/** Any other error that is reported: exit code 1. */
export class Failure extends Error {
  /** @param status of the answer that refused the call */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The failure of a call that met faults of the network or the server for as long as they are repeated. */
export class ServerGone extends Failure {}

const secrets = new Set();

/** Keeps a secret out of all lines that are printed from now on. */
export const hideSecret = (secret) => secrets.add(secret);

/** Writes a message to standard error, without secrets and without control characters except the ends of its lines. */
export function tell(message) {
  let text = String(message).split('\n').map(withoutControls).join('\n');
  for (const secret of secrets) text = text.replaceAll(secret, '[token]');
  process.stderr.write(`coverdesk: ${text}\n`);
}

/** Returns a value as text without control characters, which would break lines and terminals. */
export const withoutControls = (value) => String(value ?? '').replace(/\p{Cc}/gu, ' ');
