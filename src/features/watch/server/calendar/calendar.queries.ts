import { date, int4, int8, notNull, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Counts the devices whose coverage ends per day, from `today` to so many days later; only days that have some. */
export const countEnds = statement({
  text: `SELECT coverage_end_date, sum(devices)::bigint AS count FROM device_counts WHERE company_code = :companyCode
       AND coverage_end_date BETWEEN :today::date AND :today::date + :days::integer
     GROUP BY coverage_end_date HAVING sum(devices) > 0 ORDER BY coverage_end_date`,
  params: { companyCode: text, today: date, days: int4 },
  row: { coverage_end_date: notNull(date), count: notNull(int8) },
});
