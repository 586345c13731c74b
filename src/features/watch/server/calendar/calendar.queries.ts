import { date, int8, notNull } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Counts the devices whose coverage ends per day, from `today` to so many days later; only days that have some. */
export const countEnds = statement({
  text: `SELECT coverage_end_date, count(*) FROM devices WHERE company_code = $1 AND coverage_end_date BETWEEN $2::date AND $2::date + $3::integer
     GROUP BY coverage_end_date ORDER BY coverage_end_date`,
  row: { coverage_end_date: notNull(date), count: int8 },
}).allWith<[companyCode: string, today: string, days: number]>();
