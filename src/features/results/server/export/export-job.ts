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
};
