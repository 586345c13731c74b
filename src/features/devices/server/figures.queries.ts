import { int8, notNull, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { visibleDevices } from './devices.queries.ts';

const endingWithin = (days: number) =>
  `count(*) FILTER (WHERE coverage_end_date BETWEEN $3::date AND $3::date + ${days}) AS ending_${days}`;
const changedSince = (days: number) =>
  `to_char($3::date - ${days}, 'YYYY-MM-DD') AS since_${days}, count(*) FILTER (WHERE changed_at >= ($3::date - ${days})::timestamp AT TIME ZONE $4::text) AS changed_${days}`;

const countFigures = statement({
  text: `SELECT ${[30, 60, 90, 180].map(endingWithin).join(', ')}, ${[7, 30].map(changedSince).join(', ')},
       count(*) FILTER (WHERE coverage_end_date >= $3::date) AS covered,
       count(*) FILTER (WHERE coverage_end_date IS NULL) AS never_covered
     FROM ${visibleDevices}`,
  row: {
    ending_30: int8,
    ending_60: int8,
    ending_90: int8,
    ending_180: int8,
    covered: int8,
    never_covered: int8,
    changed_7: int8,
    changed_30: int8,
    since_7: text,
    since_30: text,
  },
});

/** The companies of the figures (null: all), and the current day (YYYY-MM-DD) of a time zone. */
type Asked = { scope: string | null; companyCode: string | null; today: string; timeZone: string };

/** Counts the devices of companies by the end of their coverage and by their last change. */
export function countDeviceFigures(db: Queryable, { scope, companyCode, today, timeZone }: Asked) {
  return countFigures.one(db, [scope, companyCode, today, timeZone]);
}

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
  { scope, companyCode }: Pick<Asked, 'scope' | 'companyCode'>,
  limit: number,
) {
  return valueLists[column].all(db, [scope, companyCode, limit]);
}
