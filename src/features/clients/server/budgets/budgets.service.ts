import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { formatRupiah } from '#shared/rupiah.ts';
import { m } from '#shared/texts/messages.js';
import type { Budget } from '../../budgets.contract.ts';
import { warnedPart } from '../../budgets.shared.ts';
import { lockExistingCompany } from '../clients.queries.ts';
import { companyNotFound, requireCompanyInScope } from '../clients.service.ts';
import { findBudget, lockBudgetForChange, lockLimit, removeLimit, setLimit } from './budgets.queries.ts';

/** @throws AppError 404 for an unknown company, or outside the caller's scope */
export async function getBudget(
  { db, config }: Context,
  caller: Caller,
  companyCode: string,
): Promise<Budget> {
  requireCompanyInScope(caller, companyCode);
  const found = await findBudget.first(db, { companyCode, timeZone: config.APP_TIMEZONE, at: null });
  if (!found) throw companyNotFound();
  return found;
}

/**
 * Sets the limit of a company; null removes it. Waits for an import that is just being stored.
 * @throws AppError 404 for an unknown company
 */
export async function putBudget(
  { db, config }: Context,
  caller: Caller,
  companyCode: string,
  limit: number | null,
): Promise<Budget> {
  return changeAs(db, caller, async (tx) => {
    // Before the limit, as the deletion of a company locks them.
    if (!(await lockExistingCompany(tx, companyCode))) throw companyNotFound();
    await lockBudgetForChange.run(tx, { companyCode });
    const before = (await lockLimit.first(tx, { companyCode }))?.monthly_rupiah;
    if (limit === null) await removeLimit.run(tx, { companyCode });
    else await setLimit.run(tx, { companyCode, rupiah: limit });
    await record(tx, {
      action: 'budget.update',
      objectId: companyCode,
      companyCode,
      before: { monthly_rupiah: before ?? null },
      after: { monthly_rupiah: limit },
    });
    const after = await findBudget.first(tx, { companyCode, timeZone: config.APP_TIMEZONE, at: null });
    if (!after) throw companyNotFound();
    return after;
  });
}

/**
 * Stores an import within the budget of its company. The budget stays locked until the transaction ends, so that two
 * imports cannot pass it together. Take no lock that other companies need before calling this.
 * @param store stores the ticket with its counts
 * @returns the result of `store`, and the budget if 80 percent or more of it is used
 * @throws AppError 409 if the import would pass the budget
 */
export async function storeWithinBudget<T extends { imported_at: Date | null }>(
  tx: Queryable,
  { companyCode, timeZone }: { companyCode: string; timeZone: string },
  store: () => Promise<T>,
): Promise<{ result: T; warning: { monthly_rupiah: number; used: number } | undefined }> {
  const limit = (await lockLimit.first(tx, { companyCode }))?.monthly_rupiah;
  const result = await store();
  if (limit === undefined) return { result, warning: undefined };
  const used = (await findBudget.first(tx, { companyCode, timeZone, at: result.imported_at }))?.used ?? 0;
  if (used > limit) throw budgetExceeded(limit, used);
  return { result, warning: used >= limit * warnedPart ? { monthly_rupiah: limit, used } : undefined };
}

/** Returns whether an import of so many rupiah would be refused now (`storeWithinBudget`). */
export async function exceedsBudget(
  db: Queryable,
  { companyCode, timeZone }: { companyCode: string; timeZone: string },
  rupiah: number,
): Promise<boolean> {
  const budget = await findBudget.first(db, { companyCode, timeZone, at: null });
  if (!budget || budget.monthly_rupiah === null) return false;
  return Math.round(budget.used + rupiah) > budget.monthly_rupiah;
}

function budgetExceeded(limit: number, used: number): AppError {
  const amounts = { limit: formatRupiah(limit), used: formatRupiah(used) };
  return new AppError(409, 'budget_exceeded', fill(m.server_budget_exceeded, amounts));
}
