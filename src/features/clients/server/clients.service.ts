import { takeNumber } from '#server/counters.queries.ts';
import { type Db, inTransaction } from '#server/db.ts';
import { AppError, invalidField } from '#server/errors.ts';
import { describePage } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import {
  type ClientRow,
  countClients,
  countDependents,
  deleteClientRow,
  findAnyClientCode,
  findClientByCode,
  insertClient,
  listClientPage,
  lockClient,
  updateClientRow,
} from './clients.queries.ts';
import { formatCompanyCode, prefixOf } from './company-code.ts';

export { findAnyClientCode };

/** 404 for a client that is not there. */
export const clientNotFound = () =>
  new AppError(404, 'client_not_found', (locale) => m.server_client_not_found({}, { locale }));

/** A client as every call answers it. */
function describeClient(row: ClientRow) {
  return {
    _id: String(row.id),
    company_name: row.company_name,
    company_code: row.company_code,
    status: row.active ? ('1' as const) : ('0' as const),
  };
}

/** One page of clients, newest first. */
export async function listClients(db: Db, { page, limit }: { page: number; limit: number }) {
  const [rows, total] = await Promise.all([listClientPage(db, limit, (page - 1) * limit), countClients(db)]);
  return { data: rows.map(describeClient), pagination: describePage(page, limit, total) };
}

/** Creates an Active client with a company code of its own, made from its name. */
export async function createClient(db: Db, companyName: string) {
  const prefix = prefixOf(companyName);
  const row = await inTransaction(db, async (tx) => {
    const number = await takeNumber(tx, `client:${prefix}`);
    return insertClient(tx, companyName, formatCompanyCode(prefix, number));
  });
  return describeClient(row);
}

/**
 * Renames a client or changes its status; the company code stays.
 * @throws AppError 404
 */
export async function changeClient(
  db: Db,
  id: number,
  change: { company_name: string } | { active: boolean },
) {
  const row = await updateClientRow(db, id, change);
  if (!row) throw clientNotFound();
  return describeClient(row);
}

/**
 * Deletes a client on which nothing hangs any more.
 * @throws AppError 404, or 409 saying how many users and tickets it still has
 */
export async function deleteClient(db: Db, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const code = await lockClient(tx, id);
    if (code === undefined) throw clientNotFound();
    const { users, tickets } = await countDependents(tx, code);
    if (users + tickets > 0) throw inUse(String(users), String(tickets));
    await deleteClientRow(tx, id);
  });
}

function inUse(users: string, tickets: string): AppError {
  return new AppError(409, 'client_in_use', (locale) => {
    if (tickets === '0') return m.server_client_has_users({ users }, { locale });
    if (users === '0') return m.server_client_has_tickets({ tickets }, { locale });
    return m.server_client_has_both({ users, tickets }, { locale });
  });
}

/** The failure of a company code that no Active client has. */
export function companyCodeUnusable(): AppError {
  return invalidField('company_code', (locale) => m.server_company_code_unusable({}, { locale }));
}

/**
 * Takes a company code only when an Active client has it.
 * @throws AppError 400 naming `company_code`
 */
export async function requireActiveClient(db: Db, code: string): Promise<void> {
  if (!(await isClientActive(db, code))) throw companyCodeUnusable();
}

/** Whether a company may order and upload: its client is there and Active. */
export async function isClientActive(db: Db, code: string): Promise<boolean> {
  return (await findClientByCode(db, code))?.active ?? false;
}
