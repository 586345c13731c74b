import { int8, notNull, nullable, text, timestamptz } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Finds the budget of a company in the month of an instant (null: now) in a time zone; undefined for an unknown company.
 * Prices and rates may be so high that `used` stops at the largest number that JSON keeps exact.
 */
export const findBudget = statement({
  text: `SELECT (SELECT monthly_rupiah FROM budgets b WHERE b.company_code = c.company_code) AS monthly_rupiah,
       to_char(coalesce(:at, clock_timestamp()) AT TIME ZONE :timeZone, 'YYYY-MM') AS month,
       (SELECT least(round(coalesce(sum(t.price * t.current_dollar_price * (t.total - t.invalid_count - t.unbilled_count)), 0)), ${Number.MAX_SAFE_INTEGER})::bigint
        FROM tickets t WHERE t.company_code = c.company_code
          AND t.imported_at >= date_trunc('month', coalesce(:at, clock_timestamp()) AT TIME ZONE :timeZone) AT TIME ZONE :timeZone) AS used
     FROM clients c WHERE c.company_code = :companyCode`,
  params: { companyCode: text, timeZone: text, at: nullable(timestamptz) },
  row: { monthly_rupiah: nullable(int8), month: notNull(text), used: notNull(int8) },
});

/** Locks the budget of a company until the transaction ends, and returns its limit; undefined for a company without one. */
export const lockLimit = statement({
  text: 'SELECT monthly_rupiah FROM budgets WHERE company_code = :companyCode FOR UPDATE',
  params: { companyCode: text },
  row: { monthly_rupiah: int8 },
});

/** Locks the limit of a company for a change until the transaction ends, also if it has none. */
export const lockBudgetForChange = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('budget of ' || :companyCode::text, 0))",
  params: { companyCode: text },
});

export const setLimit = statement({
  text: `INSERT INTO budgets (company_code, monthly_rupiah) VALUES (:companyCode, :rupiah)
     ON CONFLICT (company_code) DO UPDATE SET monthly_rupiah = :rupiah`,
  params: { companyCode: text, rupiah: int8 },
});

export const removeLimit = statement({
  text: 'DELETE FROM budgets WHERE company_code = :companyCode',
  params: { companyCode: text },
});
