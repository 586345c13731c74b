import type { OwnField } from '#features/devices/fields.contract.ts';
import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Locale } from '#shared/locale.ts';
import type { DatedRowQuery } from '../row-filters.ts';
import type { RecordedExport } from './record-export.ts';

/** The thread's task: one export. */
export type ExportJob = RecordedExport & {
  /** Null if there is no ticket; the file then has no rows. */
  ticket: TicketRow | null;
  now: Date;
  /** The own columns of the ticket's company. */
  fields: OwnField[];
  /** Selects and sorts the rows. Expiry texts count from its `today`. */
  rowQuery: DatedRowQuery;
  format: 'excel' | 'json';
  provenance: boolean;
  locale: Locale;
  timeZone: string;
};
