import { array, int8, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { joinFields } from './field-values.queries.ts';

/** Counts devices by their value of an own column; null is the group of those without one. */
export const countByValue = statement({
  text: `SELECT own.fields ->> :key::text AS value, count(*)
     FROM devices ${joinFields('devices.company_code', 'devices.serial')}
     WHERE id = ANY (:ids::bigint[]) GROUP BY 1`,
  params: { ids: array(int8), key: text },
  row: { value: nullable(text), count: int8 },
});
