import type { SheetPreview } from '#features/imports/imports.contract.ts';
import type { Locale } from '#shared/locale.ts';

/** The thread's answer. */
export type PreviewedSheet = Omit<SheetPreview, 'exceeds_budget'>;

/** The thread's task: one preview. */
export type PreviewTask = {
  databaseUrl: string;
  /** The uploaded file. */
  path: string;
  /** The name of a worksheet; null for the first visible one. */
  sheet: string | null;
  /** A column's letter; null for the first that holds serials. */
  column: string | null;
  companyCode: string;
  maxRows: number;
  /** Dollars per data, exact decimal text. */
  price: string;
  /** Rupiah per dollar. */
  dollarRate: number;
  locale: Locale;
};
