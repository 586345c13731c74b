import type { Client } from 'pg';

const fields = [
  ...['type', 'activation_status', 'purchase_date'],
  ...['warranty_title', 'coverage_start_date', 'coverage_end_date'],
].join(', ');

/**
 * Recomputes the register of devices from all results, and returns each device that differs: missing, too many, with
 * another answer, time or list of tickets, or with a history that does not end with its answer.
 */
export async function findRegisterFaults(client: Pick<Client, 'query'>): Promise<object[]> {
  const { rows } = await client.query<{ fault: object }>(
    `WITH results AS (
       SELECT t.company_code, t.ticket_number, s.serial, s.fetched_at, ROW (${fields})::text AS answer
       FROM serials s JOIN tickets t ON t.id = s.ticket_id WHERE s.state = 'done'),
     expected AS (
       SELECT company_code, serial, max(fetched_at) AS last_checked, (array_agg(answer ORDER BY fetched_at DESC))[1] AS answer,
         array_agg(DISTINCT ticket_number ORDER BY ticket_number) AS tickets
       FROM results GROUP BY company_code, serial),
     registered AS (
       SELECT company_code, serial, last_checked, ROW (${fields})::text AS answer,
         ARRAY(SELECT unnest(d.tickets) ORDER BY 1) AS tickets,
         (SELECT ROW (${fields})::text FROM device_answers a WHERE a.device_id = d.id ORDER BY at DESC LIMIT 1) AS last_change
       FROM devices d)
     SELECT to_jsonb(e) || jsonb_build_object('registered', to_jsonb(r)) AS fault
     FROM expected e FULL JOIN registered r USING (company_code, serial)
     WHERE (e.last_checked, e.answer, e.tickets) IS DISTINCT FROM (r.last_checked, r.answer, r.tickets)
       OR r.last_change IS DISTINCT FROM r.answer
     LIMIT 10`,
  );
  return rows.map(({ fault }) => fault);
}
