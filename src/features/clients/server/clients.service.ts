import type { AuditAction } from '#features/audit/audit-words.shared.ts';
import { record } from '#features/audit/server/audit.service.ts';
import { takeNumber } from '#server/db/counters.queries.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill, invalidField } from '#server/http/errors/errors.ts';
import { changeOnce } from '#server/http/idempotent-change.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { CompanyChange } from '../clients.contract.ts';
import {
  type CompanyRow,
  countCompanies,
  countDependents,
  deleteCompanyRow,
  findAnyCompanyCode,
  findCompany,
  insertCompany,
  listCompanyPage,
  lockActiveCompany,
  lockCompany,
  lockDeviceRegister,
  lockExistingCompany,
  updateCompanyRow,
} from './clients.queries.ts';

export { findAnyCompanyCode, lockActiveCompany, lockExistingCompany };

/** Returns the error for a company that does not exist: 404. */
export const companyNotFound = () => new AppError(404, 'client_not_found', m.server_client_not_found);

function describeCompany(row: CompanyRow) {
  return {
    _id: String(row.id),
    company_name: row.company_name,
    company_code: row.company_code,
    status: row.active ? ('1' as const) : ('0' as const),
    bill_known: row.bill_known,
  };
}

export async function listCompanies(db: Db, { page, limit }: Paging) {
  const [rows, { count: total }] = await Promise.all([
    listCompanyPage.all(db, { limit, offset: (page - 1) * limit }),
    countCompanies.one(db),
  ]);
  return { data: rows.map(describeCompany), pagination: describePage(page, limit, total) };
}

/** @throws AppError 404 */
export async function getOwnCompany(db: Db, { companyCode }: Caller) {
  const row = await findCompany.first(db, { code: companyCode ?? '' });
  if (!row) throw companyNotFound();
  return describeCompany(row);
}

/**
 * Creates an Active company with a unique code derived from its name.
 * @param caller null for the product itself
 * @param key the Idempotency-Key of the request
 * @throws AppError 422 as `changeOnce`
 */
export async function createCompany(
  db: Db,
  caller: Caller | null,
  {
    company_name: companyName,
    bill_known: billKnown = true,
  }: { company_name: string; bill_known?: boolean | undefined },
  key: string | null = null,
) {
  const prefix = prefixOf(companyName);
  const request = { key, input: ['createCompany', companyName, billKnown] };
  return changeOnce(db, caller, request, async (tx) => {
    const { value: number } = await takeNumber.one(tx, { name: `client:${prefix}` });
    const company = await insertCompany.one(tx, {
      name: companyName,
      code: formatCompanyCode(prefix, number),
      billKnown,
    });
    const created = describeCompany(company);
    await recordOf(tx, 'client.create', company, null, created);
    return created;
  });
}

/**
 * Changes a company's name and billing, or its status; its code stays.
 * @throws AppError 404
 */
export async function updateCompany(
  db: Db,
  caller: Caller,
  id: number,
  change: CompanyChange | { active: boolean },
) {
  return changeAs(db, caller, async (tx) => {
    const before = await lockCompany.first(tx, { id });
    if (!before) throw companyNotFound();
    const company = describeCompany(await updateCompanyRow(tx, id, change));
    const old = describeCompany(before);
    if ('active' in change) {
      await recordOf(tx, 'client.status', before, { status: old.status }, { status: company.status });
    } else {
      const isBillingChanged = old.bill_known !== company.bill_known;
      const valuesOf = ({ company_name, bill_known }: typeof old) => ({
        company_name,
        ...(isBillingChanged && { bill_known }),
      });
      await recordOf(tx, 'client.update', before, valuesOf(old), valuesOf(company));
    }
    return company;
  });
}

function recordOf(
  tx: Queryable,
  action: AuditAction,
  { id, company_code }: CompanyRow,
  before: Record<string, string | boolean> | null,
  after: Record<string, string | boolean> | null,
): Promise<void> {
  return record(tx, { action, objectId: id, companyCode: company_code, before, after });
}

/**
 * Deletes a company without users, tickets and invoices.
 * @throws AppError 404; 409 with their numbers
 */
export async function deleteCompany(db: Db, caller: Caller, id: number): Promise<void> {
  await changeAs(db, caller, async (tx) => {
    await lockDeviceRegister.run(tx);
    const company = await lockCompany.first(tx, { id });
    if (!company) throw companyNotFound();
    const { users, tickets, invoices } = await countDependents.one(tx, { code: company.company_code });
    if (users + tickets > 0) throw inUse(String(users), String(tickets));
    if (invoices > 0) throw hasInvoices(invoices);
    await deleteCompanyRow.run(tx, { id });
    await recordOf(tx, 'client.delete', company, describeCompany(company), null);
  });
}

function inUse(users: string, tickets: string): AppError {
  return new AppError(409, 'client_in_use', (_, { locale }) => {
    if (tickets === '0') return m.server_client_has_users({ users }, { locale });
    if (users === '0') return m.server_client_has_tickets({ tickets }, { locale });
    return m.server_client_has_both({ users, tickets }, { locale });
  });
}

function hasInvoices(invoices: number): AppError {
  return new AppError(
    409,
    'client_in_use',
    fill(m.server_client_has_invoices, { invoices: String(invoices) }),
  );
}

/** @throws AppError 404 for a company outside the caller's scope */
export function requireCompanyInScope(caller: Caller, companyCode: string): void {
  const scope = scopeOf(caller);
  if (scope !== null && scope !== companyCode) throw companyNotFound();
}

/** Returns the error for a company that is unknown or Inactive: 400. */
export const companyUnusable = () => invalidField('company_code', m.server_company_code_unusable);

/**
 * Checks that a company code belongs to an Active company, whose status then cannot change until the transaction ends.
 * @throws AppError 400 naming `company_code`
 */
export async function requireActiveCompany(tx: Queryable, code: string): Promise<void> {
  if (!(await lockActiveCompany(tx, code))) throw companyUnusable();
}

/**
 * Returns the prefix of a company code: the first three letters (A-Z, accents removed) or digits of the name, in upper
 * case, padded with X.
 */
export function prefixOf(companyName: string): string {
  const plain = companyName.normalize('NFKD').toUpperCase();
  return plain
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 3)
    .padEnd(3, 'X');
}

/** Returns a company code: `ACM001` from `ACM` and 1. */
export function formatCompanyCode(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(3, '0')}`;
}
