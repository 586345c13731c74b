import { countByValue } from '#features/devices/server/devices.service.ts';
import { date, int8, jsonb, notNull, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { addDays } from './digest-days.ts';

/** So many devices of a model (null: unknown) whose coverage ends on a day (YYYY-MM-DD). */
export type NoticedGroup = { ends_on: string; type: string | null; count: number };

/** So many devices by value of an own column; null: without a value. */
export type NoticedValues = Map<string | null, number>;

type NoticeQuery = {
  companyCode: string;
  today: string;
  days: number;
  limit: number;
  groupBy: string | null;
};

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
 * @param groupBy the key of an own column, or null
 * @returns the number of them, the devices of the first `limit`, and the numbers by day and model in groups, and by value of
 * the own column
 */
export async function insertNotices(
  tx: Queryable,
  { companyCode, today, days, limit, groupBy }: NoticeQuery,
): Promise<{ total: number; ids: number[]; groups: NoticedGroup[]; values: NoticedValues }> {
  const values: NoticedValues = new Map();
  const notices = { total: 0, ids: [] as number[], groups: [] as NoticedGroup[], values };
  const until = addDays(today, days);
  let [day, id] = [today, 0];
  for (;;) {
    const slice = await insert.first(tx, { companyCode, day, until, id, devicesAtOnce });
    if (!slice) return notices;
    notices.total += slice.ids.length;
    notices.ids.push(...slice.ids.slice(0, limit - notices.ids.length));
    notices.groups.push(...slice.groups);
    const counted = groupBy === null ? [] : await countByValue.all(tx, { ids: slice.ids, key: groupBy });
    for (const { value, count } of counted) values.set(value, (values.get(value) ?? 0) + count);
    [day, id] = [slice.last_day, slice.last_id];
  }
}
