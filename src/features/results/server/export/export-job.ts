import type { Deed } from '#features/audit/server/audit.service.ts';
import type { Origin } from '#server/origin.ts';
import type { Locale } from '#shared/locale.ts';
import type { RowFilter } from '../coverage-rows.ts';

/** One export, as it is handed to a thread. */
export type ExportJob = {
  databaseUrl: string;
  /** Null where there is no ticket: the file then has no rows. */
  ticketId: number | null;
  filter: RowFilter;
  format: 'excel' | 'json';
  provenance: boolean;
  locale: Locale;
  /** YYYY-MM-DD, for the expiry texts. */
  today: string;
  timeZone: string;
  /** What is recorded of it, but for the rows that it turns out to have; by whom, and from where. */
  deed: Deed;
  origin: Origin;
};
