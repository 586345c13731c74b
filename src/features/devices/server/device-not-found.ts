import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/** Returns the error for a device that is unknown, or outside the caller's scope: 404. */
export function deviceNotFound(): AppError {
  return new AppError(404, 'device_not_found', m.server_not_found);
}
