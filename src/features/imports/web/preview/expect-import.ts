import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { type Corrections, countCorrected } from './corrections.ts';

export type ImportChoices = {
  corrections: Corrections;
  /** The age in days below which answers of the register are taken; null to look up every row. */
  freshDays: number | null;
  billsKnown: boolean;
};

/** Returns the number of known rows whose answer is younger than so many days. */
export function countYounger({ known_ages }: SheetPreview, days: number): number {
  return known_ages.filter((age) => age.days < days).reduce((sum, { count }) => sum + count, 0);
}

/**
 * Returns the counts of an import with the choices of the form. Corrected cells count as rows to look up: whether they are
 * duplicates or known shows in the import.
 */
export function expectImport(preview: SheetPreview, { corrections, freshDays, billsKnown }: ImportChoices) {
  const corrected = countCorrected(corrections);
  const valid = preview.valid_count + corrected;
  const fresh = freshDays === null ? 0 : countYounger(preview, freshDays);
  const { estimate_seconds: all, seconds_per_row: each } = preview;
  return {
    valid,
    invalid: preview.invalid_count - Object.keys(corrections).length,
    fresh,
    billed: billsKnown ? valid : valid - fresh,
    /** Null without an estimate. Without a row to look up, the ticket is Completed at once. */
    seconds: all === null || each === null ? null : valid === fresh ? 0 : all + (corrected - fresh) * each,
  };
}

/** Returns whether so few cells hold a serial that the column or file may be another than meant: less than one in five. */
export function hasFewSerials({ valid, invalid }: { valid: number; invalid: number }): boolean {
  return valid * 5 < valid + invalid;
}
