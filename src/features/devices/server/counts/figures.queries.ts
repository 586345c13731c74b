import { int8, notNull, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { visibleDevices } from '../devices.queries.ts';
import { endsWithin, keptCounts, sumOf } from './device-counts.queries.ts';

/** Counts the devices of companies by the end of their coverage. */
export const countCoverageEnds = statement({
  text: `SELECT ${[30, 60, 90, 180].map((days) => `${sumOf(endsWithin(days))} AS ending_${days}`).join(', ')},
       ${sumOf('coverage_end_date >= $3::date')} AS covered, ${sumOf('coverage_end_date IS NULL')} AS never_covered
     FROM ${keptCounts}`,
  row: {
    ending_30: int8,
    ending_60: int8,
    ending_90: int8,
    ending_180: int8,
    covered: int8,
    never_covered: int8,
  },
}).oneWith<[scope: string | null, companyCode: string | null, today: string]>();

const dayBefore = (days: number) => `to_char($3::date - ${days}, 'YYYY-MM-DD')`;
const changedSince = (days: number) => `changed_at >= ($3::date - ${days})::timestamp AT TIME ZONE $4::text`;

/** Counts the devices of companies that changed in the days before `today` (YYYY-MM-DD) of a time zone. */
export const countChanges = statement({
  text: `SELECT ${dayBefore(7)} AS since_7, ${dayBefore(30)} AS since_30,
       count(*) FILTER (WHERE ${changedSince(7)}) AS changed_7, count(*) AS changed_30
     FROM ${visibleDevices} AND ${changedSince(30)}`,
  row: { since_7: text, since_30: text, changed_7: int8, changed_30: int8 },
}).oneWith<[scope: string | null, companyCode: string | null, today: string, timeZone: string]>();

const listValues = (column: 'type' | 'warranty_title' | 'source') =>
  statement({
    text: `SELECT ${column} AS value, count(*) AS count FROM ${visibleDevices} AND ${column} IS NOT NULL
       GROUP BY ${column} ORDER BY count(*) DESC, ${column} LIMIT $3`,
    row: { value: notNull(text), count: int8 },
  });
const valueLists = {
  types: listValues('type'),
  warranties: listValues('warranty_title'),
  sources: listValues('source'),
};

export function listDeviceValues(
  db: Queryable,
  column: keyof typeof valueLists,
  scope: string | null,
  companyCode: string | null,
  limit: number,
) {
  return valueLists[column].all(db, [scope, companyCode, limit]);
}
