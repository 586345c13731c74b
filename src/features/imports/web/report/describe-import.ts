import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';

/** Describes the result of an import in the language of the screen, which may have changed since the answer. */
export function describeImport({ imported_count: count, ticket }: ImportAnswer): string {
  return m.data_upload_done({ count: String(count), ticket: ticket.ticket_number });
}

type Counts = { valid_count: number; invalid_count: number; duplicate_count: number };

/** The counts of a sheet in one line: "3 valid · 1 invalid · 0 duplicates". */
export function describeSheet({ valid_count, invalid_count, duplicate_count: count }: Counts): string {
  return [
    m.data_import_valid({ number: formatNumber(valid_count) }),
    m.data_import_not_valid({ number: formatNumber(invalid_count) }),
    m.data_import_duplicates({ count, number: formatNumber(count) }),
  ].join(' · ');
}
