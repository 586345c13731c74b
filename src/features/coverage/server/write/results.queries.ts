import { toArrayLiteral } from '#server/array-literal.ts';
import type { Queryable } from '#server/db.ts';
import type { PositionRange } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';

/** How many rows were given a result, by what the ticket counts. */
export type Counts = { done: number; failed: number; activated: number; unactivated: number };

type TicketState = { id: number; status: string; total: number; done: number; failed: number };

/** Locks tickets in the order of their ids, so that two workers never wait for each other. Deleted ones are missing. */
export async function lockTickets(tx: Queryable, ids: number[]): Promise<Map<number, TicketState>> {
  const { rows } = await tx.query<TicketState>(
    'SELECT id, status, total, done, failed FROM tickets WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes the results of rows that have none yet. Counts only those, and the months in which their coverage ends. */
export async function updateResults(
  tx: Queryable,
  range: PositionRange,
  results: RowResult[],
): Promise<Counts> {
  const column = (name: Exclude<keyof RowResult, 'coverage'>) =>
    toArrayLiteral(results.map((result) => result[name]));
  const field = (name: keyof NonNullable<RowResult['coverage']>) =>
    toArrayLiteral(results.map(({ coverage }) => coverage?.[name] ?? null));
  const { rows } = await tx.query<Counts>({
    name: 'write-results',
    text: `WITH written AS (
       UPDATE serials AS s SET
         state = v.state, reason = v.reason, details = v.details, type = v.type,
         activation_status = v.activation_status, purchase_date = v.purchase_date, warranty_title = v.warranty_title,
         coverage_start_date = v.coverage_start_date, coverage_end_date = v.coverage_end_date,
         fetched_at = to_timestamp(v.fetched_at / 1000), source = v.source, attempts = v.attempts,
         egress = v.egress, cached = v.cached, lookup = NULL
       FROM unnest($4::integer[], $5::serial_state[], $6::text[], $7::text[], $8::text[], $9::activation[],
                   $10::date[], $11::text[], $12::date[], $13::date[], $14::float8[], $15::text[],
                   $16::smallint[], $17::text[], $18::boolean[])
         AS v(position, state, reason, details, type, activation_status, purchase_date, warranty_title,
              coverage_start_date, coverage_end_date, fetched_at, source, attempts, egress, cached)
       WHERE s.ticket_id = $1 AND s.position BETWEEN $2 AND $3 AND s.position = v.position AND s.state = 'pending'
       RETURNING s.state, s.activation_status, s.coverage_end_date),
     months AS (
       INSERT INTO ticket_end_months AS m (ticket_id, month, devices)
       SELECT $1, date_trunc('month', coverage_end_date)::date, count(*) FROM written
       WHERE coverage_end_date IS NOT NULL GROUP BY 2
       ON CONFLICT (ticket_id, month) DO UPDATE SET devices = m.devices + excluded.devices)
     SELECT count(*) FILTER (WHERE state = 'done') AS done,
            count(*) FILTER (WHERE state = 'failed') AS failed,
            count(*) FILTER (WHERE activation_status = 'activated') AS activated,
            count(*) FILTER (WHERE activation_status = 'unactivated') AS unactivated
     FROM written`,
    values: [
      ...[range.ticketId, range.lo, range.hi, column('position'), column('state'), column('reason')],
      ...[column('details'), field('type'), field('activation_status'), field('purchase_date')],
      ...[field('warranty_title'), field('coverage_start_date'), field('coverage_end_date')],
      ...[column('fetchedAt'), column('source'), column('attempts'), column('egress'), column('cached')],
    ],
  });
  return rows[0] ?? { done: 0, failed: 0, activated: 0, unactivated: 0 };
}

/** Writes what rows without a result have used up so far. */
export async function updateLookupStates(
  tx: Queryable,
  range: PositionRange,
  rows: { position: number; lookupState: LookupState }[],
): Promise<void> {
  await tx.query(
    `UPDATE serials AS s SET attempts = v.attempts, lookup = v.lookup
     FROM unnest($4::integer[], $5::smallint[], $6::jsonb[]) AS v(position, attempts, lookup)
     WHERE s.ticket_id = $1 AND s.position BETWEEN $2 AND $3 AND s.position = v.position AND s.state = 'pending'`,
    [
      ...[range.ticketId, range.lo, range.hi, rows.map(({ position }) => position)],
      ...[
        rows.map(({ lookupState }) => lookupState.tries),
        rows.map(({ lookupState }) => JSON.stringify(lookupState)),
      ],
    ],
  );
}

/** Adds finished rows to a locked ticket's counters and sets its status. A ticket with finished rows waits for nothing. */
export async function updateTicket(tx: Queryable, id: number, counts: Counts): Promise<void> {
  await tx.query(
    `UPDATE tickets SET
       done = done + $2, failed = failed + $3, activated = activated + $4, unactivated = unactivated + $5,
       status = CASE WHEN done + failed + $2 + $3 >= total THEN 'Completed' ELSE 'Processing' END::ticket_status,
       started_at = coalesce(started_at, now()),
       finished_at = CASE WHEN done + failed + $2 + $3 >= total THEN now() END,
       waiting_for = CASE WHEN $2 + $3 = 0 THEN waiting_for END,
       waiting_source = CASE WHEN $2 + $3 = 0 THEN waiting_source END
     WHERE id = $1`,
    [id, counts.done, counts.failed, counts.activated, counts.unactivated],
  );
}

/** Adds to the ticket's finished rows of this minute. */
export async function addFinished(tx: Queryable, ticketId: number, finished: number): Promise<void> {
  await tx.query(
    `INSERT INTO ticket_minutes (ticket_id, minute, finished) VALUES ($1, date_trunc('minute', now()), $2)
     ON CONFLICT (ticket_id, minute) DO UPDATE SET finished = ticket_minutes.finished + excluded.finished`,
    [ticketId, finished],
  );
}
