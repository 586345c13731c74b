import type { Queryable } from '#server/db/db.ts';
import { findWorkload } from './progress.queries.ts';

/**
 * Estimates the seconds until further rows of a company have their results, behind the rows that already wait.
 * @returns the seconds for these rows, and those of them for each row; null if the company has no recent Completed ticket,
 *   whose pace the estimate takes
 */
export async function estimateSeconds(
  db: Queryable,
  companyCode: string,
  rows: number,
): Promise<{ estimate_seconds: number | null; seconds_per_row: number | null }> {
  const { waiting, rows_per_second: pace } = await findWorkload.one(db, { companyCode });
  if (!pace) return { estimate_seconds: null, seconds_per_row: null };
  return { estimate_seconds: Math.ceil((waiting + rows) / pace), seconds_per_row: 1 / pace };
}
