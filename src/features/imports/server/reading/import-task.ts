import type { Caller } from '#server/http/caller.ts';
import type { Origin } from '#server/http/origin.ts';
import type { Locale } from '#shared/locale.ts';

/** One import, as it is handed to a thread. */
export type ImportTask = {
  databaseUrl: string;
  /** The uploaded file. */
  path: string;
  fileName: string | null;
  caller: Caller;
  companyCode: string;
  /** The empty order that the rows go into; null for a new ticket. */
  ticketNumber: number | null;
  /** The Idempotency-Key. */
  key: string | null;
  maxRows: number;
  price: string;
  dollarRate: number;
  locale: Locale;
  /** Who uploads, and from where. */
  origin: Origin;
};

export type ImportPhase = 'reading' | 'saving';

export type ImportProgress = { phase: ImportPhase; rows: number };
