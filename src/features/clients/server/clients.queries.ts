import { bool, int8, listColumns, nullable, type RowOf, text, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const company = {
  id: int8,
  company_name: text,
  company_code: text,
  active: bool,
  bill_known: bool,
  created_at: timestamptz,
};
const columns = listColumns(company);

export type CompanyRow = RowOf<typeof company>;

export const listCompanyPage = statement({
  text: `SELECT ${columns} FROM clients ORDER BY id DESC LIMIT :limit OFFSET :offset`,
  params: { limit: int8, offset: int8 },
  row: company,
});

export const findCompany = statement({
  text: `SELECT ${columns} FROM clients WHERE company_code = :code`,
  params: { code: text },
  row: company,
});

export const countCompanies = statement({
  text: 'SELECT count(*) FROM clients',
  row: { count: int8 },
});

export const listCompanyCodes = statement({
  text: `SELECT company_code, company_name FROM clients WHERE :active::boolean IS NULL OR active = :active ORDER BY company_code`,
  params: { active: nullable(bool) },
  row: { company_code: text, company_name: text },
});

const lockStatus = statement({
  text: 'SELECT active FROM clients WHERE company_code = :code FOR SHARE',
  params: { code: text },
  row: { active: bool },
});

/** Returns whether a company exists and is Active. Its status cannot change until the transaction ends. */
export async function lockActiveCompany(tx: Queryable, code: string): Promise<boolean> {
  return (await lockStatus.first(tx, { code }))?.active ?? false;
}

const lockKey = statement({
  text: 'SELECT FROM clients WHERE company_code = :code FOR KEY SHARE',
  params: { code: text },
});

/** Returns whether a company exists. It cannot be deleted until the transaction ends. */
export async function lockExistingCompany(tx: Queryable, code: string): Promise<boolean> {
  return (await lockKey.run(tx, { code })) > 0;
}

/** Finds the code of any company; undefined without companies. */
export const findAnyCompanyCode = statement({
  text: 'SELECT company_code FROM clients LIMIT 1',
  row: { company_code: text },
});

export const insertCompany = statement({
  text: `INSERT INTO clients (company_name, company_code, bill_known) VALUES (:name, :code, :billKnown) RETURNING ${columns}`,
  params: { name: text, code: text, billKnown: bool },
  row: company,
});

const update = statement({
  text: `UPDATE clients SET company_name = coalesce(:company_name, company_name), active = coalesce(:active, active),
       bill_known = coalesce(:bill_known, bill_known)
     WHERE id = :id RETURNING ${columns}`,
  params: { id: int8, company_name: nullable(text), active: nullable(bool), bill_known: nullable(bool) },
  row: company,
});

/** Changes a locked company's name, status or billing. */
export function updateCompanyRow(
  tx: Queryable,
  id: number,
  change: { company_name?: string | undefined; active?: boolean; bill_known?: boolean | undefined },
): Promise<CompanyRow> {
  const { company_name, active, bill_known } = change;
  return update.one(tx, { id, company_name, active, bill_known });
}

/**
 * Locks the register of devices until the transaction ends, as all do who delete devices. A deleted company's devices are
 * deleted by a trigger. Call it before the company is locked.
 */
export const lockDeviceRegister = statement({
  text: `SELECT pg_advisory_xact_lock(hashtext('register of devices'))`,
});

/** Locks a company against changes, new users and new tickets; undefined when it does not exist. */
export const lockCompany = statement({
  text: `SELECT ${columns} FROM clients WHERE id = :id FOR UPDATE`,
  params: { id: int8 },
  row: company,
});

export const countDependents = statement({
  text: `SELECT (SELECT count(*) FROM users WHERE company_code = :code) AS users,
            (SELECT count(*) FROM tickets WHERE company_code = :code) AS tickets,
            (SELECT count(*) FROM invoices WHERE company_code = :code) AS invoices`,
  params: { code: text },
  row: { users: int8, tickets: int8, invoices: int8 },
});

export const deleteCompanyRow = statement({
  text: 'DELETE FROM clients WHERE id = :id',
  params: { id: int8 },
});
