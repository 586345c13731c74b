import { z } from 'zod';
import { maxCorrectionLength, maxCorrections } from '#features/imports/corrections.shared.ts';
import { invalidField } from '#server/http/errors/errors.ts';
import { boundedRecord } from '#shared/answers.ts';
import { parseJson } from '#shared/parse-json.ts';
import { m } from '#shared/texts/messages.js';
import { isColumnLetter } from '../reading/column-letter.ts';

const cellName = /^([A-Z]{1,3})([1-9]\d{0,6})$/;

const form = boundedRecord(
  z.string().refine((cell) => isColumnLetter(cellName.exec(cell)?.[1] ?? '')),
  z.string().max(maxCorrectionLength).regex(/\S/),
  maxCorrections,
);

/** Texts that replace invalid cells, by the name of the cell: `A17`. */
export type Corrections = Record<string, string>;

/**
 * Reads the corrections of a form: a JSON object of at most 100 cells with a text of at most 200 characters each.
 * @returns them in the order of the cells' names; null without any
 * @throws AppError 400
 */
export function readCorrections(text: string | undefined): Corrections | null {
  if (text === undefined || text.trim() === '') return null;
  const { data } = form.safeParse(parseJson(text));
  if (!data) throw invalidField('corrections', m.server_import_corrections_form);
  const sorted = Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.length === 0 ? null : Object.fromEntries(sorted);
}
