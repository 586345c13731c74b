import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/** Returns the error for an email address that belongs to a user: 409. */
export function emailTaken(): AppError {
  return new AppError(409, 'email_taken', m.server_email_taken);
}
