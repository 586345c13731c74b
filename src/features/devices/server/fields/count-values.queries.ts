import { array, int8, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Counts devices by their value of an own column; null is the group of those without one. */
export const countByValue = statement({
  text: `SELECT f.fields ->> :key::text AS value, count(*)
     FROM devices d LEFT JOIN device_fields f ON f.company_code = d.company_code AND f.serial = d.serial
     WHERE d.id = ANY (:ids::bigint[]) GROUP BY 1`,
  params: { ids: array(int8), key: text },
  row: { value: nullable(text), count: int8 },
});
