import { maxFields } from '#features/devices/fields.shared.ts';
import { invalidField } from '#server/http/errors/errors.ts';
import { parseJson } from '#shared/parse-json.ts';
import { m } from '#shared/texts/messages.js';
import { isColumnLetter } from '../reading/column-letter.ts';

/** Own columns by the column of a sheet: `{ "B": "employee" }`. */
export type Mapping = Record<string, string>;

/** Returns the error for a mapping of another form, or of an unknown column of the sheet: 400. */
export const unusableMapping = () => invalidField('fields', m.server_import_fields_form);

/**
 * Reads the mapping of a form.
 * @returns null without one: then heads decide
 * @throws AppError 400
 */
export function readFields(text: string | undefined): Mapping | null {
  if (text === undefined || text.trim() === '') return null;
  const mapping = parseJson(text);
  if (!isMapping(mapping)) throw unusableMapping();
  const keys = Object.values(mapping);
  if (keys.length > maxFields || new Set(keys).size < keys.length) throw unusableMapping();
  return mapping;
}

/** By hand, because the threads that read sheets load no schemas. */
function isMapping(value: unknown): value is Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([letter, key]) => isColumnLetter(letter) && typeof key === 'string');
}
