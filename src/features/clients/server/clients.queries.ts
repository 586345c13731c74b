import type { Kysely, Selectable } from 'kysely';
import type { Queryable } from '#server/db.ts';
import type { Schema } from '#server/schema.ts';

export type ClientRow = Selectable<Schema['clients']>;

/** One page of clients, newest first. */
export function listClientPage(db: Kysely<Schema>, limit: number, offset: number): Promise<ClientRow[]> {
  return db.selectFrom('clients').selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
}

export async function countClients(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('clients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Codes and names of all clients, or of those with one status, by code. */
export function listClientCodes(db: Kysely<Schema>, active: boolean | undefined) {
  return db
    .selectFrom('clients')
    .select(['company_code', 'company_name'])
    .$if(active !== undefined, (query) => query.where('active', '=', active ?? true))
    .orderBy('company_code')
    .execute();
}

export function findClientByCode(db: Kysely<Schema>, code: string): Promise<ClientRow | undefined> {
  return db.selectFrom('clients').selectAll().where('company_code', '=', code).executeTakeFirst();
}

/** Inserts an Active client. */
export async function insertClient(tx: Queryable, name: string, code: string): Promise<ClientRow> {
  const { rows } = await tx.query<ClientRow>(
    'INSERT INTO clients (company_name, company_code) VALUES ($1, $2) RETURNING *',
    [name, code],
  );
  const [row] = rows;
  if (!row) throw new Error('the new client was not returned');
  return row;
}

/** Changes a client's name or status; undefined when it is not there. */
export function updateClientRow(
  db: Kysely<Schema>,
  id: number,
  change: { company_name: string } | { active: boolean },
): Promise<ClientRow | undefined> {
  return db.updateTable('clients').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

/** Locks a client against new users and tickets; its company code, undefined when it is not there. */
export async function lockClient(tx: Queryable, id: number): Promise<string | undefined> {
  const { rows } = await tx.query<{ company_code: string }>(
    'SELECT company_code FROM clients WHERE id = $1 FOR UPDATE',
    [id],
  );
  return rows[0]?.company_code;
}

/** How many users and tickets carry a company code. */
export async function countDependents(
  tx: Queryable,
  code: string,
): Promise<{ users: number; tickets: number }> {
  const { rows } = await tx.query<{ users: number; tickets: number }>(
    `SELECT (SELECT count(*) FROM users WHERE company_code = $1) AS users,
            (SELECT count(*) FROM tickets WHERE company_code = $1) AS tickets`,
    [code],
  );
  return rows[0] ?? { users: 0, tickets: 0 };
}

export async function deleteClientRow(tx: Queryable, id: number): Promise<void> {
  await tx.query('DELETE FROM clients WHERE id = $1', [id]);
}
