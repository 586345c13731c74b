import type { RecordedAction } from '#features/audit/server/audit.service.ts';
import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Origin } from '#server/http/origin.ts';
import type { Locale } from '#shared/locale.ts';
import type { RowQuery } from '../row-filters.ts';

/** The thread's task: one export. */
export type ExportJob = {
  /** Where the audit entry is written. */
  databaseUrl: string;
  /** Null if there is no ticket; the file then has no rows. */
  ticket: TicketRow | null;
  now: Date;
  /** Selects and sorts the rows. Expiry texts count from its `today`. */
  rowQuery: RowQuery;
  format: 'excel' | 'json';
  provenance: boolean;
  locale: Locale;
  timeZone: string;
  /** The audit entry, to which the thread adds the number of rows. */
  action: RecordedAction;
  origin: Origin;
};
