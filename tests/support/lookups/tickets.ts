import type pg from 'pg';
import { requeueLookups } from '#features/lookups/server/lookups.service.ts';
import { inTransaction } from '#server/db/db.ts';
import { waitFor } from '#tests/support/wait.ts';

type Kind = 'imei' | 'meid' | 'serial';

/** Stores a ticket with these serials and queues its lookups, as an import does. @returns its id */
export function importTicket(
  pool: pg.Pool,
  serials: string[],
  kindOf: (serial: string) => Kind = () => 'serial',
  companyCode = 'ACM001',
): Promise<number> {
  return inTransaction(pool, async (tx) => {
    await tx.query(
      "INSERT INTO clients (company_name, company_code) VALUES ('Acme', $1) ON CONFLICT DO NOTHING",
      [companyCode],
    );
    const { rows } = await tx.query<{ id: number }>(
      `INSERT INTO tickets (ticket_number, company_code, data_count, total, price, current_dollar_price, imported_at)
       SELECT coalesce(max(ticket_number), 0) + 1, $2, $1, $1, 0.05, 16000, now() FROM tickets RETURNING id`,
      [serials.length, companyCode],
    );
    const ticketId = rows[0]?.id ?? 0;
    await tx.query(
      `INSERT INTO serials (ticket_id, position, sheet_row, serial, kind)
       SELECT $1, n, n + 1, serial, kind FROM unnest($2::text[], $3::serial_kind[]) WITH ORDINALITY AS s(serial, kind, n)`,
      [ticketId, serials, serials.map(kindOf)],
    );
    await requeueLookups(tx, ticketId);
    return ticketId;
  });
}

export type TicketRow = {
  status: string;
  total: number;
  done: number;
  failed: number;
  activated: number;
  unactivated: number;
  waiting_for: string | null;
  waiting_source: string | null;
  waiting_cause: string | null;
  waiting_since: Date | null;
};

export async function readTicket(pool: pg.Pool, id: number): Promise<TicketRow | undefined> {
  const { rows } = await pool.query<TicketRow>(
    `SELECT status, total, done, failed, activated, unactivated, waiting_for, waiting_source, waiting_cause, waiting_since
     FROM tickets WHERE id = $1`,
    [id],
  );
  return rows[0];
}

/** Waits until a ticket is Completed. @param timeoutMs defaults to that of `waitFor` */
export function waitUntilCompleted(pool: pg.Pool, id: number, timeoutMs?: number): Promise<TicketRow> {
  const read = async () => {
    const ticket = await readTicket(pool, id);
    return ticket?.status === 'Completed' && ticket;
  };
  return waitFor('the ticket to be completed', read, timeoutMs);
}

/** Waits until a ticket has a reason for waiting. */
export function waitUntilWaiting(
  pool: pg.Pool,
  id: number,
  reason: 'source' | 'proxies' = 'source',
): Promise<TicketRow> {
  return waitFor('the ticket to wait', async () => {
    const ticket = await readTicket(pool, id);
    return ticket?.waiting_for === reason && ticket;
  });
}

/** Waits until at least this number of rows of a ticket are done. @param timeoutMs defaults to that of `waitFor` */
export async function waitUntilDone(
  pool: pg.Pool,
  id: number,
  count: number,
  timeoutMs?: number,
): Promise<void> {
  await waitFor(
    `${count} rows to be done`,
    async () => ((await readTicket(pool, id))?.done ?? 0) >= count,
    timeoutMs,
  );
}

/** Creates serials from a prefix and six digits. */
export function makeSerials(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(6, '0')}`);
}
