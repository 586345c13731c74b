import { date, int8, notNull, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { visibleDevices } from '../devices.queries.ts';
import { endsWithin, keptCounts, sumOf } from './device-counts.queries.ts';

/** Counts the devices of companies by the end of their coverage. */
export const countCoverageEnds = statement({
  text: `SELECT ${[60, 90, 180].map((days) => `${sumOf(endsWithin(days))} AS ending_${days}`).join(', ')},
       ${sumOf('coverage_end_date >= :today::date')} AS covered, ${sumOf('coverage_end_date IS NULL')} AS never_covered
     FROM ${keptCounts}`,
  params: { scope: nullable(text), companyCode: nullable(text), today: date },
  row: {
    ending_60: int8,
    ending_90: int8,
    ending_180: int8,
    covered: int8,
    never_covered: int8,
  },
});

/** Counts the devices of companies whose coverage ends in each of 24 months, from `today` (YYYY-MM-DD) on, zeros included. */
export const countEndsByMonth = statement({
  text: `WITH months AS (
       SELECT generate_series(date_trunc('month', :today::date), date_trunc('month', :today::date) + interval '23 months',
                              interval '1 month')::date AS month),
     ends AS (
       SELECT date_trunc('month', coverage_end_date)::date AS month, sum(devices) AS devices
       FROM ${keptCounts} AND coverage_end_date >= :today::date GROUP BY 1)
     SELECT to_char(greatest(month, :today::date), 'YYYY-MM-DD') AS from,
       to_char(month + interval '1 month - 1 day', 'YYYY-MM-DD') AS to, coalesce(devices, 0)::bigint AS devices
     FROM months LEFT JOIN ends USING (month) ORDER BY month`,
  params: { scope: nullable(text), companyCode: nullable(text), today: date },
  row: { from: text, to: text, devices: int8 },
});

const dayBefore = (days: number) => `to_char(:today::date - ${days}, 'YYYY-MM-DD')`;
const changedSince = (days: number) =>
  `changed_at >= (:today::date - ${days})::timestamp AT TIME ZONE :timeZone::text`;

/** Counts the devices of companies that changed in the days before `today` (YYYY-MM-DD) of a time zone. */
export const countChangedDevices = statement({
  text: `SELECT ${dayBefore(7)} AS since_7, ${dayBefore(30)} AS since_30,
       count(*) FILTER (WHERE ${changedSince(7)}) AS changed_7, count(*) AS changed_30
     FROM ${visibleDevices} AND ${changedSince(30)}`,
  params: { scope: nullable(text), companyCode: nullable(text), today: date, timeZone: text },
  row: { since_7: text, since_30: text, changed_7: int8, changed_30: int8 },
});

const listValues = (column: 'type' | 'warranty_title' | 'source') =>
  statement({
    text: `SELECT ${column} AS value, count(*) AS count FROM ${visibleDevices} AND ${column} IS NOT NULL
       GROUP BY ${column} ORDER BY count(*) DESC, ${column} LIMIT :limit`,
    params: { scope: nullable(text), companyCode: nullable(text), limit: int8 },
    row: { value: notNull(text), count: int8 },
  });
/** Counts the devices of each value of a column, the most frequent first. */
export const deviceValues = {
  types: listValues('type'),
  warranties: listValues('warranty_title'),
  sources: listValues('source'),
};
