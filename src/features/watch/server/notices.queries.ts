import { int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const insert = statement({
  text: `WITH noticed AS (
       INSERT INTO watch_notices (device_id, ends_on) SELECT id, coverage_end_date FROM devices
       WHERE company_code = $1 AND coverage_end_date BETWEEN $2::date AND $2::date + $3::integer
       ON CONFLICT DO NOTHING RETURNING device_id, ends_on)
     SELECT device_id, count(*) OVER () AS total FROM noticed ORDER BY ends_on, device_id LIMIT $4`,
  row: { device_id: int8, total: int8 },
});

/**
 * Notes all ends of coverage of a company from `today` to so many days later that were not noted before.
 * @returns the number of them, and the devices of the first `limit`
 */
export async function insertNotices(
  tx: Queryable,
  { companyCode, today, days, limit }: { companyCode: string; today: string; days: number; limit: number },
): Promise<{ total: number; ids: number[] }> {
  const rows = await insert.all(tx, [companyCode, today, days, limit]);
  return { total: rows[0]?.total ?? 0, ids: rows.map((row) => row.device_id) };
}
