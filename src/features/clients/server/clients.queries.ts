import { bool, int8, listColumns, type RowOf, text, timestamptz } from '#server/db/column-types.ts';
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
  text: `SELECT ${columns} FROM clients ORDER BY id DESC LIMIT $1 OFFSET $2`,
  row: company,
}).allWith<[limit: number, offset: number]>();

export const findCompany = statement({
  text: `SELECT ${columns} FROM clients WHERE company_code = $1`,
  row: company,
}).firstWith<[code: string]>();

export const countCompanies = statement({
  text: 'SELECT count(*) FROM clients',
  row: { count: int8 },
}).valueWith();

export const listCompanyCodes = statement({
  text: `SELECT company_code, company_name FROM clients WHERE $1::boolean IS NULL OR active = $1 ORDER BY company_code`,
  row: { company_code: text, company_name: text },
}).allWith<[active: boolean | undefined]>();

const lockStatus = statement({
  text: 'SELECT active FROM clients WHERE company_code = $1 FOR SHARE',
  row: { active: bool },
});

/** Returns whether a company exists and is Active. Its status cannot change until the transaction ends. */
export async function lockActiveCompany(tx: Queryable, code: string): Promise<boolean> {
  return (await lockStatus.first(tx, [code]))?.active ?? false;
}

const lockKey = statement({ text: 'SELECT FROM clients WHERE company_code = $1 FOR KEY SHARE' });

/** Returns whether a company exists. It cannot be deleted until the transaction ends. */
export async function lockKnownCompany(tx: Queryable, code: string): Promise<boolean> {
  return (await lockKey.run(tx, [code])) > 0;
}

/** Finds the code of any company; undefined without companies. */
export const findAnyCompanyCode = statement({
  text: 'SELECT company_code FROM clients LIMIT 1',
  row: { company_code: text },
}).firstValueWith();

export const insertCompany = statement({
  text: `INSERT INTO clients (company_name, company_code, bill_known) VALUES ($1, $2, $3) RETURNING ${columns}`,
  row: company,
}).oneWith<[name: string, code: string, billKnown: boolean]>();

const update = statement({
  text: `UPDATE clients SET company_name = coalesce($2, company_name), active = coalesce($3, active),
       bill_known = coalesce($4, bill_known)
     WHERE id = $1 RETURNING ${columns}`,
  row: company,
});

/** Changes a locked company's name, status or billing. */
export function updateCompanyRow(
  tx: Queryable,
  id: number,
  change: { company_name?: string; active?: boolean; bill_known?: boolean | undefined },
): Promise<CompanyRow> {
  return update.one(tx, [id, change.company_name ?? null, change.active ?? null, change.bill_known ?? null]);
}

/**
 * Locks the register of devices until the transaction ends, as all do who delete devices. A deleted company's devices are
 * deleted by a trigger. Call it before the company is locked.
 */
export const lockDeviceRegister = statement({
  text: `SELECT pg_advisory_xact_lock(hashtext('register of devices'))`,
}).runWith();

/** Locks a company against changes, new users and new tickets; undefined when it does not exist. */
export const lockCompany = statement({
  text: `SELECT ${columns} FROM clients WHERE id = $1 FOR UPDATE`,
  row: company,
}).firstWith<[id: number]>();

export const countDependents = statement({
  text: `SELECT (SELECT count(*) FROM users WHERE company_code = $1) AS users,
            (SELECT count(*) FROM tickets WHERE company_code = $1) AS tickets,
            (SELECT count(*) FROM invoices WHERE company_code = $1) AS invoices`,
  row: { users: int8, tickets: int8, invoices: int8 },
}).oneWith<[code: string]>();

export const deleteCompanyRow = statement({ text: 'DELETE FROM clients WHERE id = $1' }).runWith<
  [id: number]
>();
