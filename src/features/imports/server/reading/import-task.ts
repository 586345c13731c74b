import type { Caller } from '#server/http/caller.ts';
import type { Origin } from '#server/http/origin.ts';
import type { Locale } from '#shared/locale.ts';
import type { RowSource } from './row-source.ts';

/** The thread's task: one import. */
export type ImportTask = {
  databaseUrl: string;
  source: RowSource;
  fileName: string | null;
  /** Null for an import by the product itself. */
  caller: Caller | null;
  companyCode: string;
  /** The number of the order to fill; null for a new ticket. */
  ticketNumber: number | null;
  /** The Idempotency-Key of the caller. */
  key: string | null;
  /** The key of an import by the product itself; null for an upload. */
  ownKey: string | null;
  /** The number of serials that the caller of an import by the product itself has confirmed. */
  confirmedCount?: number | undefined;
  /** Rows with a younger answer in the register are not looked up; null to look up all. */
  freshDays: number | null;
  /** Whether cached answers from before the import are not reused. */
  askAgain: boolean;
  maxRows: number;
  price: string;
  dollarRate: number;
  /** The time zone of the budget's month. */
  timeZone: string;
  locale: Locale;
  /** The user and address, for the audit log. */
  origin: Origin;
};

export type ImportPhase = 'reading' | 'saving';

export type ImportProgress = { phase: ImportPhase; rows: number };
