import type { TestApi } from '../../tests/support/api/api.ts';
import { createUser } from '../../tests/support/api/factories.ts';

const insertedAtOnce = 1_000_000;

/** The results of rows by their position `n`: state, reason, and the six columns of coverage. */
const answers = {
  same: `'done', NULL, 'iPhone 15 Pro 256GB', 'activated', '2025-03-01', 'Limited Warranty', '2025-03-01', '2026-12-01'`,
  // One in forty failed, a dozen types, five warranties, ends over four years.
  varied: `(CASE WHEN n % 40 = 0 THEN 'failed' ELSE 'done' END)::serial_state,
    CASE WHEN n % 80 = 0 THEN 'Not found' WHEN n % 40 = 0 THEN 'Source unavailable' END,
    CASE WHEN n % 40 > 0 THEN 'iPhone ' || 4 + n % 12 END,
    (CASE WHEN n % 40 > 0 THEN (ARRAY['activated', 'activated', 'unactivated', NULL])[1 + n % 4] END)::activation,
    CASE WHEN n % 40 > 0 THEN '2025-03-01'::date END,
    CASE WHEN n % 40 > 0 THEN 'Warranty ' || n % 5 END,
    CASE WHEN n % 40 > 0 THEN '2025-03-01'::date END,
    CASE WHEN n % 40 > 0 THEN '2025-01-01'::date + (n % 1460) END`,
};

/** Creates a Completed ticket with this number of rows, and a user who may read it. */
export async function createLargeTicket(
  api: TestApi,
  rows: number,
  kind: keyof typeof answers = 'same',
): Promise<{ ticketId: number; number: number; token: string }> {
  const user = await createUser(api);
  const { db } = api.context;
  const { rows: made } = await db.query<{ id: number; ticket_number: number }>(
    `INSERT INTO tickets (ticket_number, company_code, data_count, total, done, failed, price, current_dollar_price, status,
       file_name, imported_at, started_at, finished_at)
     VALUES (1, $1, $2, $2, $2::integer - $3::integer, $3, 0.05, 16000, 'Completed', 'sheet.xlsx', now(), now(), now())
     RETURNING id, ticket_number`,
    [user.companyCode, rows, kind === 'same' ? 0 : Math.floor(rows / 40)],
  );
  const [ticket] = made;
  if (!ticket) throw new Error('no ticket');
  // In parts: a statement times out after a minute.
  for (let first = 1; first <= rows; first += insertedAtOnce) {
    await db.query(
      `INSERT INTO serials (ticket_id, position, sheet_row, serial, kind, state, reason, type, activation_status, purchase_date,
       warranty_title, coverage_start_date, coverage_end_date, fetched_at, source, attempts, egress, cached)
     SELECT $1, n, n + 1, (350000000000000 + n)::text, 'imei', ${answers[kind]}, now(), 'sandbox', 1, 'direct', false
     FROM generate_series($2::integer, $3::integer) n`,
      [ticket.id, first, Math.min(rows, first + insertedAtOnce - 1)],
    );
  }
  await db.query('VACUUM (ANALYZE) serials');
  return { ticketId: ticket.id, number: ticket.ticket_number, token: user.token };
}
