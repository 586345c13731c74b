import { date, int8, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * The kept numbers of devices (`devices`) by activation and end of coverage, of the companies `:scope` and
 * `:companyCode` (null: all).
 */
export const keptCounts = `device_counts
     WHERE company_code = coalesce(:scope::text, :companyCode::text, '')
       AND (:scope::text IS NULL OR :companyCode::text IS NULL OR :scope = :companyCode)`;

/** SQL: the number of devices that meet a condition. */
export const sumOf = (condition: string) => `coalesce(sum(devices) FILTER (WHERE ${condition}), 0)::bigint`;

/** SQL condition: coverage ends between the day `:today` and so many days after it. */
export const endsWithin = (days: number) =>
  `coverage_end_date BETWEEN :today::date AND :today::date + ${days}`;

/** Counts the devices of companies by activation and by whether their coverage ends soon or has ended. */
export const countAllDevices = statement({
  text: `SELECT ${sumOf('true')} AS all, ${sumOf("activation_status = 'activated'")} AS activated,
       ${sumOf("activation_status = 'unactivated'")} AS unactivated, ${sumOf('activation_status IS NULL')} AS unknown,
       ${sumOf(endsWithin(30))} AS ending_30, ${sumOf('coverage_end_date < :today::date')} AS expired
     FROM ${keptCounts}`,
  params: { scope: nullable(text), companyCode: nullable(text), today: date },
  row: { all: int8, activated: int8, unactivated: int8, unknown: int8, ending_30: int8, expired: int8 },
});

// Counts of changes can repeat after a failover or restore, the server's start time does not.
/**
 * Returns a text that differs after any change of the devices, or of their own columns, of the companies `scope` and
 * `companyCode` (null: all), and after a restart of the database server.
 */
export const findRegisterVersion = statement({
  name: 'find-register-version',
  text: `SELECT concat_ws(' ', pg_postmaster_start_time(), sum(hash_record_extended(d, 0))) AS version
     FROM device_deletions AS d
     WHERE (:scope::text IS NULL OR company_code = :scope) AND (:companyCode::text IS NULL OR company_code = :companyCode)`,
  params: { scope: nullable(text), companyCode: nullable(text) },
  row: { version: text },
});
