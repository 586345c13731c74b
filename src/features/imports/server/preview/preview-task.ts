import type { SheetPreview } from '#features/imports/imports.contract.ts';
import type { Locale } from '#shared/locale.ts';
import type { RowSource } from '../reading/row-source.ts';

/** The thread's answer. */
export type PreviewedSheet = Omit<SheetPreview, 'exceeds_budget'>;

/** The thread's task: one preview. */
export type PreviewTask = {
  databaseUrl: string;
  /** If a file has no chosen column, the thread reads the first one that holds serials. */
  source: RowSource;
  companyCode: string;
  maxRows: number;
  /** Dollars per data, exact decimal text. */
  price: string;
  /** Percent. */
  discount: number;
  /** Rupiah per dollar. */
  dollarRate: number;
  locale: Locale;
};
