import pg from 'pg';

/** The number of tickets, of rows of each, and of the companies that own them in turn. */
export type Stored = { tickets: number; rows: number; companies?: number };

/**
 * Stores completed tickets, their results and devices. One row in forty failed. The others have a dozen types, five
 * warranties, and ends of coverage over four years.
 * @returns the first ticket, and the code of its company
 */
export async function storeTickets(
  databaseUrl: string,
  { tickets, rows, companies = 1 }: Stored,
): Promise<{ id: number; number: number; companyCode: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO clients (company_name, company_code) SELECT 'Stored ' || n, 'CMP' || n FROM generate_series(1, $1::integer) n`,
      [companies],
    );
    // High numbers, which the product will not take for its own tickets.
    await client.query(
      `INSERT INTO tickets (ticket_number, company_code, data_count, total, done, failed, price, current_dollar_price, status,
         file_name, imported_at, started_at, finished_at)
       SELECT 1000000 + n, 'CMP' || 1 + n % $1::integer, total, total, total - total / 40, total / 40, 0.05, 16000, 'Completed',
         'sheet.xlsx', now() - interval '1 day', now(), now()
       FROM generate_series(0, $3::integer - 1) n, CAST($2 AS integer) total`,
      [companies, rows, tickets],
    );
    await client.query(
      `INSERT INTO serials (ticket_id, position, sheet_row, serial, kind, state, reason, type, activation_status, purchase_date,
         warranty_title, coverage_start_date, coverage_end_date, fetched_at, source, attempts, egress, cached)
       SELECT t.id, p, p + 1, (350000000000000 + n)::text, 'imei',
         (CASE WHEN ok THEN 'done' ELSE 'failed' END)::serial_state,
         CASE WHEN n % 80 = 0 THEN 'Not found' WHEN NOT ok THEN 'Source unavailable' END,
         CASE WHEN ok THEN 'iPhone ' || 4 + n % 12 END,
         CASE WHEN ok THEN (ARRAY['activated', 'activated', 'unactivated', NULL])[1 + n % 4]::activation END,
         CASE WHEN ok THEN '2025-03-01'::date END, CASE WHEN ok THEN 'Warranty ' || n % 5 END,
         CASE WHEN ok THEN '2025-03-01'::date END, CASE WHEN ok THEN '2025-01-01'::date + n % 1460 END,
         '2026-01-01'::timestamptz + make_interval(mins => n % 400000), 'sandbox', 1, 'direct', false
       FROM tickets t CROSS JOIN generate_series(1, $1::integer) p
         CROSS JOIN LATERAL (SELECT (t.ticket_number - 1000000)::integer * $1 + p AS n) place
         CROSS JOIN LATERAL (SELECT n % 40 > 0 AS ok) outcome`,
      [rows],
    );
    await client.query(
      `INSERT INTO devices (company_code, serial, type, activation_status, purchase_date, warranty_title, coverage_start_date,
         coverage_end_date, source, first_seen, last_checked, changed_at, tickets)
       SELECT t.company_code, s.serial, s.type, s.activation_status, s.purchase_date, s.warranty_title, s.coverage_start_date,
         s.coverage_end_date, s.source, '2026-01-01', s.fetched_at, CASE WHEN s.position % 23 = 0 THEN s.fetched_at END,
         ARRAY[t.ticket_number]
       FROM serials s JOIN tickets t ON t.id = s.ticket_id WHERE s.state = 'done'`,
    );
    // Searches and counts then read indexes alone.
    await client.query('VACUUM (ANALYZE)');
    const { rows: stored } = await client.query(
      'SELECT id, ticket_number AS number, company_code AS "companyCode" FROM tickets ORDER BY id LIMIT 1',
    );
    return stored[0];
  } finally {
    await client.end();
  }
}
