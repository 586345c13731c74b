import { AppError } from '#server/http/errors/errors.ts';
import { describeInvalid } from '#shared/row-texts.ts';
import { m } from '#shared/texts/messages.js';
import type { InvalidCell } from './reading/column-reader.ts';

/** What `serials.reason` says of a cell that holds no identifier. */
export const invalidSerial = 'Invalid serial number';

const cellsInFailure = 20;

/** 422 for a sheet that brings no serial at all; the first invalid cells are in its details. */
export function noValidSerial(invalid: InvalidCell[]): AppError {
  return new AppError(422, 'no_valid_serial', (locale) => m.server_import_no_valid_serial({}, { locale }), {
    details: invalid.slice(0, cellsInFailure).map(({ row, value, reason }) => ({
      path: `A${row}`,
      message: (locale) => `${value}: ${describeInvalid(reason, { locale })}`,
    })),
  });
}

/** 403 for an upload into a company whose client is not Active. */
export function companyInactive(): AppError {
  return new AppError(403, 'client_inactive', (locale) => m.server_import_client_inactive({}, { locale }));
}

/** 409 for a ticket that is not an empty order any more. */
export function ticketTaken(): AppError {
  return new AppError(409, 'ticket_taken', (locale) => m.server_import_ticket_taken({}, { locale }));
}

/** 409 for an order into which another upload is going on. */
export function ticketBusy(): AppError {
  return new AppError(409, 'ticket_busy', (locale) => m.server_import_ticket_busy({}, { locale }));
}

/** 422 for a key under which another file was uploaded. */
export function keyTaken(): AppError {
  return new AppError(422, 'idempotency_key_taken', (locale) => m.server_import_key_taken({}, { locale }));
}
