import type { TestApi } from '../../tests/support/api.ts';
import { createUser } from '../../tests/support/factories.ts';

const insertedAtOnce = 1_000_000;

/** A Completed ticket of so many rows, and a user who may read it. */
export async function createLargeTicket(
  api: TestApi,
  rows: number,
): Promise<{ ticketId: number; number: number; token: string }> {
  const user = await createUser(api);
  const { db } = api.context;
  const { rows: made } = await db.query<{ id: number; ticket_number: number }>(
    `INSERT INTO tickets (ticket_number, company_code, data_count, total, done, price, current_dollar_price, status,
       file_name, imported_at, started_at, finished_at)
     VALUES (1, $1, $2, $2, $2, 0.05, 16000, 'Completed', 'sheet.xlsx', now(), now(), now())
     RETURNING id, ticket_number`,
    [user.companyCode, rows],
  );
  const [ticket] = made;
  if (!ticket) throw new Error('no ticket');
  // A statement has a minute.
  for (let first = 1; first <= rows; first += insertedAtOnce) {
    await db.query(
      `INSERT INTO serials (ticket_id, position, sheet_row, serial, kind, state, type, activation_status, purchase_date,
       warranty_title, coverage_start_date, coverage_end_date, fetched_at, source, attempts, egress, cached)
     SELECT $1, n, n + 1, (350000000000000 + n)::text, 'imei', 'done', 'iPhone 15 Pro 256GB', 'activated', '2025-03-01',
       'Limited Warranty', '2025-03-01', '2026-12-01', now(), 'sandbox', 1, 'direct', false
     FROM generate_series($2::integer, $3::integer) n`,
      [ticket.id, first, Math.min(rows, first + insertedAtOnce - 1)],
    );
  }
  await db.query('VACUUM (ANALYZE) serials');
  return { ticketId: ticket.id, number: ticket.ticket_number, token: user.token };
}
