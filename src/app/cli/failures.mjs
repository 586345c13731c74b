/** The error of wrong usage: exit code 2. */
export class UsageError extends Error {}

/** Any other error that is told: exit code 1. */
export class Failure extends Error {
  /** @param status of the answer that refused the call */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export const tell = (line) => process.stderr.write(`coverdesk: ${line}\n`);

/** Returns a value as text without control characters, which would break lines and terminals. */
export const withoutControls = (value) => String(value ?? '').replace(/\p{Cc}/gu, ' ');
