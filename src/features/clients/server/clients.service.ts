import type { AuditAction } from '#features/audit/audit.contract.ts';
import { record } from '#features/audit/server/audit.service.ts';
import { takeNumber } from '#server/db/counters.queries.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { AppError, invalidField } from '#server/http/errors/errors.ts';
import { describePage } from '#shared/describe-page.ts';
import { m } from '#shared/texts/messages.js';
import {
  type ClientRow,
  countClients,
  countDependents,
  deleteClientRow,
  findAnyClientCode,
  insertClient,
  listClientPage,
  lockClient,
  lockClientStatus,
  lockClientToChange,
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
    const made = await insertClient(tx, companyName, formatCompanyCode(prefix, number));
    await recordOf(tx, 'client.create', made, null, describeClient(made));
    return made;
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
  return inTransaction(db, async (tx) => {
    const before = await lockClientToChange(tx, id);
    if (!before) throw clientNotFound();
    const client = describeClient(await updateClientRow(tx, id, change));
    const old = describeClient(before);
    if ('active' in change) {
      await recordOf(tx, 'client.status', before, { status: old.status }, { status: client.status });
    } else {
      const nameOf = ({ company_name }: typeof old) => ({ company_name });
      await recordOf(tx, 'client.update', before, nameOf(old), nameOf(client));
    }
    return client;
  });
}

function recordOf(
  tx: Queryable,
  action: AuditAction,
  { id, company_code }: ClientRow,
  before: Record<string, string> | null,
  after: Record<string, string> | null,
): Promise<void> {
  return record(tx, { action, objectId: id, companyCode: company_code, before, after });
}

/**
 * Deletes a client on which nothing hangs any more.
 * @throws AppError 404, or 409 saying how many users and tickets it still has
 */
export async function deleteClient(db: Db, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const client = await lockClient(tx, id);
    if (!client) throw clientNotFound();
    const { users, tickets } = await countDependents(tx, client.company_code);
    if (users + tickets > 0) throw inUse(String(users), String(tickets));
    await deleteClientRow(tx, id);
    await recordOf(tx, 'client.delete', client, describeClient(client), null);
  });
}

function inUse(users: string, tickets: string): AppError {
  return new AppError(409, 'client_in_use', (locale) => {
    if (tickets === '0') return m.server_client_has_users({ users }, { locale });
    if (users === '0') return m.server_client_has_tickets({ tickets }, { locale });
    return m.server_client_has_both({ users, tickets }, { locale });
  });
}

/**
 * Takes a company code only when an Active client has it; the client stays Active until the transaction ends.
 * @throws AppError 400 naming `company_code`
 */
export async function requireActiveClient(tx: Queryable, code: string): Promise<void> {
  if (await lockActiveClient(tx, code)) return;
  throw invalidField('company_code', (locale) => m.server_company_code_unusable({}, { locale }));
}

/** Returns whether a company may order and upload: its client is there, and Active until the transaction ends. */
export async function lockActiveClient(tx: Queryable, code: string): Promise<boolean> {
  return (await lockClientStatus(tx, code)) ?? false;
}
