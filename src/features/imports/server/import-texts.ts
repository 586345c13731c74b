import { describeInvalid } from '#features/imports/failure-texts.shared.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError, fill, invalidField } from '#server/http/errors/errors.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { InvalidCell } from './reading/column-reader.ts';

/** The `serials.reason` of a cell without an identifier. */
export const invalidSerial = 'Invalid serial number';

const cellsInFailure = 20;

/**
 * Returns the error for a sheet without a serial: 422 with the first 20 invalid cells as details.
 * @param column the letter of the column that was read; undefined for a list of texts
 */
export function noValidSerial(invalid: InvalidCell[], column: string | undefined): AppError {
  return new AppError(422, 'no_valid_serial', (_, { locale }) => describeNoSerial(column, locale), {
    details: invalid.slice(0, cellsInFailure).map(({ row, value, reason }) => ({
      path: column === undefined ? `serials.${row - 1}` : `${column}${row}`,
      message: (_, { locale }) => `${value}: ${describeInvalid(reason, { locale })}`,
    })),
  });
}

function describeNoSerial(column: string | undefined, locale: Locale): string {
  if (column === undefined) return m.server_import_no_valid_text({}, { locale });
  return m.server_import_no_valid_serial({ column }, { locale });
}

/** Returns the error for an import into an Inactive company: 403. A superadmin checks the devices of any company. */
export function companyInactive(caller: Caller | null): AppError {
  return new AppError(403, 'client_inactive', (_, { locale }) =>
    caller?.superadmin
      ? m.server_import_other_inactive({}, { locale })
      : m.server_import_client_inactive({}, { locale }),
  );
}

/** Returns the error for a correction of a cell that was not read as an invalid one: 400. */
export function notInvalid(cell: string): AppError {
  return invalidField('corrections', fill(m.server_import_not_invalid, { cell }));
}

/** Returns the error for a ticket that is no empty order: 409. */
export function ticketTaken(): AppError {
  return new AppError(409, 'ticket_taken', m.server_import_ticket_taken);
}

/** Returns the error for an order that another upload is filling: 409. */
export function ticketBusy(): AppError {
  return new AppError(409, 'ticket_busy', m.server_import_ticket_busy);
}

/** Returns the error for an import by the product itself whose key has a ticket already: 409. */
export function alreadyImported(): AppError {
  return new AppError(409, 'already_imported', m.server_import_once);
}
