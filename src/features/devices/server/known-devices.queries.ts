import { array, int4, int8, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * SQL: whether the answer of a device can replace a lookup. The sandbox invents its answers, so they do not count once a
 * real source has served the database.
 */
export const usableAnswer = (device: string) =>
  `(${device}.source IS DISTINCT FROM 'sandbox' OR NOT EXISTS (SELECT FROM real_sources))`;

/** In days: all older answers count as this old, so that a list of ages has an end. */
const oldest = 3650;

/** Counts the devices of a company with these serials by the age of their answer, in whole days of 24 hours. */
export const countKnownDevices = statement({
  name: 'count-known-devices',
  text: `SELECT least(floor(extract(epoch FROM now() - d.last_checked) / 86400), ${oldest})::integer AS days, count(*) AS count
     FROM devices AS d WHERE d.company_code = :companyCode AND d.serial = ANY (:serials) AND ${usableAnswer('d')} GROUP BY 1`,
  params: { companyCode: text, serials: array(text) },
  row: { days: int4, count: int8 },
});
