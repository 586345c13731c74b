import { int8 } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * The kept numbers of devices (`devices`) by activation and end of coverage, of the companies `$1` (the scope; null: all)
 * and `$2` (null: all).
 */
export const keptCounts = `device_counts
     WHERE company_code = coalesce($1::text, $2::text, '') AND ($1::text IS NULL OR $2::text IS NULL OR $1 = $2)`;

/** SQL: the number of devices that meet a condition. */
export const sumOf = (condition: string) => `coalesce(sum(devices) FILTER (WHERE ${condition}), 0)::bigint`;

/** SQL condition: coverage ends between the day `$3` and so many days after it. */
export const endsWithin = (days: number) => `coverage_end_date BETWEEN $3::date AND $3::date + ${days}`;

/** Counts the devices of companies by activation and by whether their coverage ends soon or has ended. */
export const countAllDevices = statement({
  text: `SELECT ${sumOf('true')} AS all, ${sumOf("activation_status = 'activated'")} AS activated,
       ${sumOf("activation_status = 'unactivated'")} AS unactivated, ${sumOf('activation_status IS NULL')} AS unknown,
       ${sumOf(endsWithin(30))} AS ending_30, ${sumOf('coverage_end_date < $3::date')} AS expired
     FROM ${keptCounts}`,
  row: { all: int8, activated: int8, unactivated: int8, unknown: int8, ending_30: int8, expired: int8 },
}).oneWith<[scope: string | null, companyCode: string | null, today: string]>();
