import type { SheetPreview } from '#features/imports/imports.contract.ts';
import type { Locale } from '#shared/locale.ts';
import type { RowSource } from '../reading/row-source.ts';

/** The thread's answer. */
export type PreviewedSheet = Omit<SheetPreview, 'exceeds_budget'>;

/** The thread's task: one preview. */
export type PreviewTask = {
  databaseUrl: string;
  /** Of a file without a column, the first that holds serials is read. */
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
