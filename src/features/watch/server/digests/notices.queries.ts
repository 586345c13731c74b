import { date, int8, jsonb, notNull, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { addDays } from './digest-days.ts';

/** So many devices of a model (null: unknown) whose coverage ends on a day (YYYY-MM-DD). */
export type NoticedGroup = { ends_on: string; type: string | null; count: number };

const insert = statement({
  text: `WITH slice AS MATERIALIZED (
       SELECT id, coverage_end_date, type FROM devices
       WHERE company_code = :companyCode AND coverage_end_date BETWEEN :day::date AND :until::date
         AND (coverage_end_date > :day::date OR id > :id)
       ORDER BY coverage_end_date, id LIMIT :devicesAtOnce),
     noticed AS (
       INSERT INTO watch_notices (device_id, ends_on) SELECT id, coverage_end_date FROM slice
       ON CONFLICT DO NOTHING RETURNING device_id, ends_on)
     SELECT to_char(last.coverage_end_date, 'YYYY-MM-DD') AS last_day, last.id AS last_id,
       to_jsonb(ARRAY(SELECT device_id FROM noticed ORDER BY ends_on, device_id)) AS ids,
       (SELECT coalesce(jsonb_agg(g), '[]') FROM (
         SELECT to_char(ends_on, 'YYYY-MM-DD') AS ends_on, type, count(*) FROM noticed JOIN slice ON id = device_id GROUP BY 1, 2) AS g) AS groups
     FROM (SELECT coverage_end_date, id FROM slice ORDER BY 1 DESC, 2 DESC LIMIT 1) AS last`,
  params: { companyCode: text, day: date, until: date, id: int8, devicesAtOnce: int8 },
  row: { last_day: notNull(text), last_id: int8, ids: jsonb<number[]>(), groups: jsonb<NoticedGroup[]>() },
});

/** Devices per statement: a fraction of a second. */
const devicesAtOnce = 10_000;

/**
 * Notes all ends of coverage of a company from `today` to so many days later that were not noted before. In slices, because
 * a statement over all devices of a large company would exceed its deadline.
 * @returns the number of them, the devices of the first `limit`, and the number by day and model in groups
 */
export async function insertNotices(
  tx: Queryable,
  { companyCode, today, days, limit }: { companyCode: string; today: string; days: number; limit: number },
): Promise<{ total: number; ids: number[]; groups: NoticedGroup[] }> {
  const found = { total: 0, ids: [] as number[], groups: [] as NoticedGroup[] };
  const until = addDays(today, days);
  let [day, id] = [today, 0];
  for (;;) {
    const slice = await insert.first(tx, { companyCode, day, until, id, devicesAtOnce });
    if (!slice) return found;
    found.total += slice.ids.length;
    found.ids.push(...slice.ids.slice(0, limit - found.ids.length));
    found.groups.push(...slice.groups);
    [day, id] = [slice.last_day, slice.last_id];
  }
}
