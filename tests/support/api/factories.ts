import { createUser as createAccount } from '#features/accounts/server/accounts.service.ts';
import { createCompany as storeCompany } from '#features/clients/server/clients.service.ts';
import { addFinishedRows } from '#features/lookups/server/lookups.service.ts';
import { insertTicket, takeTicketId } from '#features/tickets/server/tickets.service.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import type { TestApi } from './api.ts';

let made = 0;

/** Creates an Active client. Returns its company code. */
export async function createCompany({ context }: TestApi, name = 'Acme'): Promise<string> {
  return (await storeCompany(context.db, null, { company_name: name })).company_code;
}

export type TestUser = { id: number; email: string; password: string; companyCode: string; token: string };

/** Creates a user and signs in. By default a standard user of a new company, without a due password change. */
export async function createUser(
  api: TestApi,
  user: {
    superadmin?: boolean;
    companyAdmin?: boolean;
    newUser?: boolean;
    companyCode?: string;
    name?: string;
  } = {},
): Promise<TestUser> {
  made += 1;
  const email = `user${made}@example.test`;
  const password = `password ${made}`;
  const companyCode = user.companyCode ?? (await createCompany(api));
  const { superadmin = false, newUser = false, name = `User ${made}` } = user;
  const { id } = await createAccount(api.context.db, {
    email,
    password,
    name,
    superadmin,
    newUser,
    companyCode,
  });
  if (user.companyAdmin) {
    await api.context.db.query(`UPDATE users SET role = 'company-admin' WHERE id = $1`, [id]);
  }
  const answer = await api.send('POST /api/auth/login', { body: { email, password } });
  return { id, email, password, companyCode, token: answer.json<{ token: string }>().token };
}

/** Returns a user as a caller, for services that are called without a request. */
export function callerOf(
  user: Pick<Caller, 'id' | 'email' | 'companyCode'> & { superadmin?: boolean },
): Caller {
  const { id, email, companyCode, superadmin = false } = user;
  const issuedAt = Math.floor(Date.now() / 1000);
  const role = superadmin ? 'superadmin' : 'user';
  const noneDue = { newUser: false, secondFactorDue: false };
  return { id, email, companyCode, role, superadmin, name: 'User', ...noneDue, issuedAt };
}

/** A row to create. All fields except the serial have defaults that fit its state. */
export type TestRow = {
  serial?: string;
  state?: 'pending' | 'done' | 'failed';
  reason?: string;
  details?: string;
  activation?: 'activated' | 'unactivated' | null;
  end?: string | null;
  title?: string | null;
  type?: string | null;
};

/** Creates a ticket with rows and correct counters, as after an import and lookups. Positions count from 1. */
export async function createTicketWithRows(
  { context }: TestApi,
  ticket: {
    companyCode: string;
    createdBy: number;
    rows: TestRow[];
    status?: 'Pending' | 'Processing' | 'Completed' | 'Cancelled';
  },
): Promise<{ id: number; number: string }> {
  const { rows } = ticket;
  const count = (test: (row: TestRow) => boolean) => rows.filter(test).length;
  return inTransaction(context.db, async (tx) => {
    const { id, ticket_number } = await insertTicket(tx, {
      id: (await takeTicketId.one(tx)).id,
      companyCode: ticket.companyCode,
      createdBy: ticket.createdBy,
      dataCount: rows.length,
      price: context.config.PRICE_USD,
      dollarRate: context.config.DOLLAR_RATE,
    });
    await tx.query(
      `UPDATE tickets SET total = $2, done = $3, failed = $4, activated = $5, unactivated = $6, status = $7,
         unavailable = $8, imported_at = now(), file_name = 'sheet.xlsx' WHERE id = $1`,
      [
        id,
        rows.length,
        count((row) => row.state === 'done'),
        count((row) => row.state === 'failed'),
        count((row) => row.state === 'done' && row.activation === 'activated'),
        count((row) => row.state === 'done' && row.activation === 'unactivated'),
        ticket.status ?? 'Pending',
        count((row) => row.reason === 'Source unavailable'),
      ],
    );
    await tx.query(
      `INSERT INTO serials (ticket_id, position, sheet_row, serial, kind, state, reason, details, type, activation_status,
         warranty_title, coverage_end_date, fetched_at, source, attempts, egress, cached)
       SELECT $1, position, position + 1, serial, kind, state, reason, details, type, activation, title, "end",
         fetched_at, source, 1, 'direct', false
       FROM jsonb_to_recordset($2) AS r(position integer, serial text, kind serial_kind, state serial_state, reason text, details text, type text,
         activation activation, title text, "end" date, fetched_at timestamptz, source text)`,
      [id, JSON.stringify(rows.map(describeRow))],
    );
    const finished = rows.flatMap((row, index) =>
      (row.state ?? 'pending') === 'pending' ? [] : [index + 1],
    );
    await addFinishedRows(tx, id, finished);
    await tx.query(
      `INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
       SELECT t.id, t.ticket_number, t.company_code, array_agg(s.position)
       FROM tickets t JOIN serials s ON s.ticket_id = t.id WHERE t.id = $1 AND s.state = 'done' GROUP BY t.id`,
      [id],
    );
    return { id, number: String(ticket_number) };
  });
}

function describeRow(row: TestRow, index: number) {
  const state = row.state ?? 'pending';
  return {
    position: index + 1,
    serial: row.serial ?? String(350000000000000 + index),
    // Only a cell without an identifier has no kind.
    kind: row.reason === 'Invalid serial number' ? null : 'imei',
    state,
    reason: row.reason ?? (state === 'failed' ? 'Not found' : null),
    details: row.details ?? null,
    activation: state === 'done' ? (row.activation ?? null) : null,
    ...(state === 'done' && {
      type: row.type === undefined ? 'iPhone 15' : row.type,
      title: row.title === undefined ? 'Limited Warranty' : row.title,
      end: row.end ?? null,
    }),
    ...(state !== 'pending' && { fetched_at: '2026-11-20T10:00:00Z', source: 'sandbox' }),
  };
}
