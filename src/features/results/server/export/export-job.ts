import type { RecordedAction } from '#features/audit/server/audit.service.ts';
import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Origin } from '#server/http/origin.ts';
import type { Locale } from '#shared/locale.ts';
import type { RowQuestion } from '../narrowing.ts';

/** One export, as it is handed to a thread. */
export type ExportJob = {
  databaseUrl: string;
  /** Null where there is none: the file then has no rows. */
  ticket: TicketRow | null;
  now: Date;
  /** Which rows, in which order; its `today` also for the expiry texts. */
  question: RowQuestion;
  format: 'excel' | 'json';
  provenance: boolean;
  locale: Locale;
  timeZone: string;
  /** What is recorded of it, but for the rows that it turns out to have; by whom, and from where. */
  action: RecordedAction;
  origin: Origin;
};
