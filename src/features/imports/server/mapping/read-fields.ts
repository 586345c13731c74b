import { z } from 'zod';
import { mostFields } from '#features/devices/fields.shared.ts';
import { invalidField } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import { isColumnLetter } from '../reading/column-letter.ts';

/** Own columns by the column of a sheet: `{ "B": "employee" }`. */
export type Mapping = Record<string, string>;

const form = z.record(z.string().refine(isColumnLetter), z.string());

/** Returns the error for a mapping of another form, or of an unknown column of the sheet: 400. */
export const unusableMapping = () => invalidField('fields', m.server_import_fields_form);

/**
 * Reads the mapping of a form.
 * @returns null without one: then heads decide
 * @throws AppError 400
 */
export function readFields(text: string | undefined): Mapping | null {
  if (text === undefined || text.trim() === '') return null;
  const { data } = form.safeParse(parseJson(text));
  const keys = Object.values(data ?? {});
  if (!data || keys.length > mostFields || new Set(keys).size < keys.length) throw unusableMapping();
  return data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
