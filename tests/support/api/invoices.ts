import { updateInvoice } from '#features/invoices/server/invoices.service.ts';
import { issueInvoice } from '#features/invoices/server/issue-invoice.service.ts';
import type { TestApi } from './api.ts';
import { callerOf, type TestUser } from './factories.ts';

/**
 * Issues a draft on its due day, which may be in the past.
 * @param id its `_id`
 * @param day YYYY-MM-DD
 */
export async function issueDueOn({ context }: TestApi, superadmin: TestUser, id: string, day: string) {
  const parts = { ...context, now: () => new Date(`${day}T00:00:00Z`) };
  const caller = callerOf({ ...superadmin, superadmin: true });
  await updateInvoice(parts, caller, Number(id), { due_at: day });
  await issueInvoice(parts, caller, Number(id));
}
