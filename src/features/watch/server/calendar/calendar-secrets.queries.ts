import { text } from '#server/db/column-types.ts';
import { sealedColumn } from '#server/vault/sealed-column.ts';

/** The secret addresses of calendars. */
export const calendarSecrets = sealedColumn('calendar', {
  table: 'watches',
  column: 'secret',
  columnType: text,
  key: 'company_code',
  keyType: text,
});
