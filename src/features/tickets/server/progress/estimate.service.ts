import type { Queryable } from '#server/db/db.ts';
import { findWorkload } from './estimate.queries.ts';

/**
 * Estimates the seconds until further rows of a company have their results, behind the rows that already wait.
 * @returns null if the company has no recent Completed ticket, whose pace the estimate takes
 */
export async function estimateSeconds(
  db: Queryable,
  companyCode: string,
  rows: number,
): Promise<number | null> {
  const { waiting, rows_per_second: pace } = await findWorkload(db, companyCode);
  return pace ? Math.ceil((waiting + rows) / pace) : null;
}
