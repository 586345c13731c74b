import { makeIdempotencyKey } from '#web/client/idempotency-key.ts';
import type { Corrections } from './preview/corrections.ts';

/** The sheet and the column that a user chose of a workbook; null for the ones that are read by default. */
export type SheetChoice = { sheet: string | null; column: string | null };

export type UploadInput = {
  content: File | string[];
  /** The order to fill; empty for a new ticket. */
  order: string;
  choice: SheetChoice;
  corrections: Corrections;
  /** The own columns that the user chose, by column of the sheet; null where heads decide. */
  chosenFields: Readonly<Record<string, string>> | null;
  /** The own columns that are sent, as the preview shows them; null without a preview. */
  fields: Readonly<Record<string, string>> | null;
  /** The age in days below which answers of the register are taken; null to look up every row. */
  freshDays: number | null;
};

export type UploadAttempt = UploadInput & { key: string };

/** Returns whether two files are the same as far as the page can see, also if one was chosen again. */
function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

/**
 * Returns the next attempt. If the outcome of the previous one is unknown and the input is the same, it keeps its key, and
 * its own columns, because a preview may have come or gone since.
 * @param open the previous attempt, while its outcome is unknown
 */
export function beginAttempt(input: UploadInput, open: UploadAttempt | null): UploadAttempt {
  return open !== null && isSameInput(open, input)
    ? { ...input, fields: open.fields, key: open.key }
    : { ...input, key: makeIdempotencyKey() };
}

function isSameInput(one: UploadInput, other: UploadInput): boolean {
  const isSameChoice = one.choice.sheet === other.choice.sheet && one.choice.column === other.choice.column;
  const isSameTicket = one.order === other.order && one.freshDays === other.freshDays;
  const isSameText = JSON.stringify(one.corrections) === JSON.stringify(other.corrections);
  const isSameMapping = JSON.stringify(one.chosenFields) === JSON.stringify(other.chosenFields);
  return (
    isSameContent(one.content, other.content) && isSameTicket && isSameChoice && isSameText && isSameMapping
  );
}

function isSameContent(one: File | string[], other: File | string[]): boolean {
  if (one instanceof File || other instanceof File)
    return one instanceof File && other instanceof File && isSameFile(one, other);
  return one.length === other.length && one.every((serial, index) => serial === other[index]);
}
