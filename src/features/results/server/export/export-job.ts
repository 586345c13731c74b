import type { Locale } from '#shared/locale.ts';
import type { RowFilter } from '../coverage-rows.ts';

/** One export, as it is handed to a thread. */
export type ExportJob = {
  databaseUrl: string;
  /** Null where there is nothing to export: the file then has no rows. */
  ticketId: number | null;
  filter: RowFilter;
  format: 'excel' | 'json';
  provenance: boolean;
  locale: Locale;
  /** YYYY-MM-DD, for the expiry texts. */
  today: string;
  timeZone: string;
};

/** What the thread is told: send the next chunk; or end. */
export type ToThread = 'next' | 'stop';

/** What the thread tells: a chunk of the file, its end, or why there is none. */
export type FromThread =
  | { kind: 'chunk'; chunk: Uint8Array<ArrayBuffer> }
  | { kind: 'end' }
  | { kind: 'failed'; error: Error };
