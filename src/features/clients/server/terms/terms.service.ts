import { record } from '#features/audit/server/audit.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { requireVersion } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import type { Terms, TermsChange } from '../../terms.contract.ts';
import { findCompany, lockExistingCompany } from '../clients.queries.ts';
import { companyNotFound, requireCompanyInScope } from '../clients.service.ts';
import { findTerms, lockTerms, replaceTerms } from './terms.queries.ts';

export { findTerms };

const unset: Terms = {
  price: null,
  discount: 0,
  payment_days: null,
  address: '',
  tax_number: '',
  invoice_emails: [],
  version: 0,
};

async function readTerms(db: Queryable, companyCode: string): Promise<Terms> {
  const found = await findTerms.first(db, { companyCode });
  return found ? { ...found, price: found.price === null ? null : Number(found.price) } : unset;
}

/** @throws AppError 404 for an unknown company, or outside the caller's scope */
export async function getTerms(db: Db, caller: Caller, companyCode: string): Promise<Terms> {
  requireCompanyInScope(caller, companyCode);
  if (!(await findCompany.first(db, { code: companyCode }))) throw companyNotFound();
  return readTerms(db, companyCode);
}

/**
 * Changes the terms of a company; fields without a value stay. Tickets and issued invoices keep those they were made with.
 * @throws AppError 404 for an unknown company; 409 when they have changed since the given version
 */
export function putTerms(
  db: Db,
  caller: Caller,
  companyCode: string,
  { version, ...change }: TermsChange,
): Promise<Terms> {
  return changeAs(db, caller, async (tx) => {
    if (!(await lockExistingCompany(tx, companyCode))) throw companyNotFound();
    await lockTerms.run(tx, { companyCode });
    const before = await readTerms(tx, companyCode);
    requireVersion(version, before.version, m.server_settings_changed);
    await replaceTerms(tx, companyCode, { ...before, ...withoutUndefined(change) });
    const after = await readTerms(tx, companyCode);
    await record(tx, {
      action: 'terms.update',
      objectId: companyCode,
      companyCode,
      before: valuesOf(before),
      after: valuesOf(after),
    });
    return after;
  });
}

type Fields = Omit<TermsChange, 'version'>;

function withoutUndefined(change: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const valuesOf = ({ version: _, invoice_emails, ...terms }: Terms) => ({
  ...terms,
  price: terms.price === null ? null : String(terms.price),
  invoice_emails: invoice_emails.join(', '),
});
