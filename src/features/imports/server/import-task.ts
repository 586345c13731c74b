import type { ThreadError } from '#server/thread-error.ts';
import type { Locale } from '#shared/locale.ts';
import type { ImportAnswer } from '../imports.contract.ts';

/** One import, as it is handed to a thread. */
export type ImportTask = {
  databaseUrl: string;
  /** The uploaded file. */
  path: string;
  fileName: string | null;
  userId: number;
  companyCode: string;
  /** The empty order that the rows go into; null for a new ticket. */
  ticketNumber: number | null;
  /** The Idempotency-Key. */
  key: string | null;
  maxRows: number;
  price: string;
  dollarRate: number;
  locale: Locale;
};

export type ImportPhase = 'reading' | 'saving';

/** What the thread tells. */
export type FromThread =
  | { kind: 'progress'; phase: ImportPhase; rows: number }
  | { kind: 'answer'; answer: ImportAnswer }
  | { kind: 'failed'; error: ThreadError };
