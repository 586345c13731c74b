import { int8, notNull, nullable, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const find = statement({
  text: `SELECT (SELECT monthly_rupiah FROM budgets b WHERE b.company_code = c.company_code) AS monthly_rupiah,
       to_char(clock_timestamp() AT TIME ZONE $2, 'YYYY-MM') AS month,
       (SELECT round(coalesce(sum(t.price * t.current_dollar_price * (t.total - t.invalid_count - t.unbilled_count)), 0))::bigint
        FROM tickets t WHERE t.company_code = c.company_code
          AND t.imported_at >= date_trunc('month', clock_timestamp() AT TIME ZONE $2) AT TIME ZONE $2) AS used
     FROM clients c WHERE c.company_code = $1`,
  row: { monthly_rupiah: nullable(int8), month: notNull(text), used: notNull(int8) },
});
export type BudgetRow = RowOf<typeof find.row>;

/** Finds the budget of a company in the present month of a time zone; undefined for an unknown company. */
export function findBudget(
  db: Queryable,
  companyCode: string,
  timeZone: string,
): Promise<BudgetRow | undefined> {
  return find.first(db, [companyCode, timeZone]);
}

const lock = statement({
  text: 'SELECT monthly_rupiah FROM budgets WHERE company_code = $1 FOR UPDATE',
  row: { monthly_rupiah: int8 },
});

/** Locks the budget of a company until the transaction ends, and returns its limit; undefined for a company without one. */
export async function lockLimit(tx: Queryable, companyCode: string): Promise<number | undefined> {
  return (await lock.first(tx, [companyCode]))?.monthly_rupiah;
}

const upsert = statement({
  text: `INSERT INTO budgets (company_code, monthly_rupiah) VALUES ($1, $2)
     ON CONFLICT (company_code) DO UPDATE SET monthly_rupiah = $2`,
});

/** Sets the limit of a company. */
export async function setLimit(tx: Queryable, companyCode: string, rupiah: number): Promise<void> {
  await upsert.run(tx, [companyCode, rupiah]);
}

const remove = statement({ text: 'DELETE FROM budgets WHERE company_code = $1' });

/** Removes the limit of a company. */
export async function removeLimit(tx: Queryable, companyCode: string): Promise<void> {
  await remove.run(tx, [companyCode]);
}
