import { z } from 'zod';
import { longestCorrection, mostCorrections } from '#features/imports/corrections.shared.ts';
import { invalidField } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import { isColumnLetter } from '../reading/column-letter.ts';

const place = /^([A-Z]{1,3})([1-9]\d{0,6})$/;

const form = z
  .record(
    z.string().refine((cell) => isColumnLetter(place.exec(cell)?.[1] ?? '')),
    z.string().max(longestCorrection).regex(/\S/),
  )
  .refine((cells) => Object.keys(cells).length <= mostCorrections);

/** Texts in place of invalid cells, by the name of the cell: `A17`. */
export type Corrections = Record<string, string>;

/**
 * Reads the corrections of a form: a JSON object of at most 100 cells with a text of at most 200 characters each.
 * @returns them in the order of the cells' names; null without any
 * @throws AppError 400
 */
export function readCorrections(text: string | undefined): Corrections | null {
  if (text === undefined || text.trim() === '') return null;
  const { data } = form.safeParse(parseJson(text));
  if (!data) throw invalidField('corrections', (locale) => m.server_import_corrections_form({}, { locale }));
  const cells = Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1));
  return cells.length === 0 ? null : Object.fromEntries(cells);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
