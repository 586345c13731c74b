import { enumeration, int4, int8, type RowOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import type { PositionRange } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';

const lock = statement({
  name: 'lock-tickets',
  text: 'SELECT id, status, total, done, failed FROM tickets WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
  row: {
    id: int8,
    status: enumeration('ticket_status', ['Pending', 'Processing', 'Completed', 'Cancelled']),
    total: int4,
    done: int4,
    failed: int4,
  },
});

type TicketState = RowOf<typeof lock.row>;

/** Locks tickets in the order of their ids, so that two workers never wait for each other. Deleted ones are missing. */
export async function lockTickets(tx: Queryable, ids: number[]): Promise<Map<number, TicketState>> {
  const rows = await lock.all(tx, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

const write = statement({
  name: 'write-results',
  text: `WITH written AS (
       UPDATE serials AS s SET
         state = coalesce(v.state, $19), reason = coalesce(v.reason, $20), details = coalesce(v.details, $21),
         type = coalesce(v.type, $22), activation_status = coalesce(v.activation_status, $23),
         purchase_date = coalesce(v.purchase_date, $24), warranty_title = coalesce(v.warranty_title, $25),
         coverage_start_date = coalesce(v.coverage_start_date, $26),
         coverage_end_date = coalesce(v.coverage_end_date, $27),
         fetched_at = to_timestamp(coalesce(v.fetched_at, $28) / 1000), source = coalesce(v.source, $29),
         attempts = coalesce(v.attempts, $30), egress = coalesce(v.egress, $31), cached = coalesce(v.cached, $32),
         lookup = NULL
       FROM unnest($4::integer[], $5::serial_state[], $6::text[], $7::text[], $8::text[], $9::activation[],
                   $10::date[], $11::text[], $12::date[], $13::date[], $14::float8[], $15::text[],
                   $16::smallint[], $17::text[], $18::boolean[])
         AS v(position, state, reason, details, type, activation_status, purchase_date, warranty_title,
              coverage_start_date, coverage_end_date, fetched_at, source, attempts, egress, cached)
       WHERE s.ticket_id = $1 AND s.position BETWEEN $2 AND $3 AND s.position = v.position AND s.state = 'pending'
       RETURNING s.state, s.reason, s.activation_status, s.coverage_end_date),
     months AS (
       INSERT INTO ticket_end_months AS m (ticket_id, month, devices)
       SELECT $1, date_trunc('month', coverage_end_date)::date, count(*) FROM written
       WHERE coverage_end_date IS NOT NULL GROUP BY 2
       ON CONFLICT (ticket_id, month) DO UPDATE SET devices = m.devices + excluded.devices)
     SELECT count(*) FILTER (WHERE state = 'done') AS done,
            count(*) FILTER (WHERE state = 'failed') AS failed,
            count(*) FILTER (WHERE reason = 'Source unavailable') AS unavailable,
            count(*) FILTER (WHERE activation_status = 'activated') AS activated,
            count(*) FILTER (WHERE activation_status = 'unactivated') AS unactivated
     FROM written`,
  row: { done: int8, failed: int8, unavailable: int8, activated: int8, unactivated: int8 },
});

/** How many rows were given a result, by what the ticket counts. */
export type Counts = RowOf<typeof write.row>;

/** What several statements have written together. */
export function sumCounts(all: Counts[]): Counts {
  const sum: Counts = { done: 0, failed: 0, unavailable: 0, activated: 0, unactivated: 0 };
  for (const counts of all)
    for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
  return sum;
}

/**
 * Writes the results of rows that have none yet. Counts only those, and the months in which their coverage ends. What is
 * the same in all of them is sent once: `unnest` fills up lists that are too short with NULL.
 */
export function updateResults(tx: Queryable, range: PositionRange, results: RowResult[]): Promise<Counts> {
  const column = (name: Exclude<keyof RowResult, 'coverage'>) => results.map((result) => result[name]);
  const field = (name: keyof NonNullable<RowResult['coverage']>) =>
    results.map(({ coverage }) => coverage?.[name] ?? null);
  const columns = [
    ...[column('state'), column('reason'), column('details'), field('type'), field('activation_status')],
    ...[field('purchase_date'), field('warranty_title'), field('coverage_start_date')],
    ...[field('coverage_end_date'), column('fetchedAt'), column('source'), column('attempts')],
    ...[column('egress'), column('cached')],
  ].map((items) => ({ items, isSame: items.every((item) => item === items[0]) }));
  return write.one(tx, [
    ...[range.ticketId, range.lo, range.hi, column('position')],
    ...columns.map(({ items, isSame }) => (isSame ? [] : items)),
    ...columns.map(({ items, isSame }) => (isSame ? items[0] : null)),
  ]);
}

const writeStates = statement({
  text: `UPDATE serials AS s SET attempts = v.attempts, lookup = CASE WHEN v.wait IS NULL THEN v.lookup ELSE
       jsonb_set(v.lookup, '{due}', to_jsonb(round(extract(epoch FROM clock_timestamp())::float8 * 1000 + v.wait))) END
     FROM unnest($4::integer[], $5::smallint[], $6::jsonb[], $7::float8[]) AS v(position, attempts, lookup, wait)
     WHERE s.ticket_id = $1 AND s.position BETWEEN $2 AND $3 AND s.position = v.position AND s.state = 'pending'`,
});

/** Writes what rows without a result have used up so far. */
export async function updateLookupStates(
  tx: Queryable,
  range: PositionRange,
  rows: { position: number; lookupState: LookupState }[],
): Promise<void> {
  const now = steadyNow();
  await writeStates.run(tx, [
    range.ticketId,
    range.lo,
    range.hi,
    rows.map(({ position }) => position),
    rows.map(({ lookupState }) => lookupState.tries),
    rows.map(({ lookupState }) => JSON.stringify(lookupState)),
    rows.map(({ lookupState: { due } }) => (due === null ? null : due - now)),
  ]);
}

const addCounts = statement({
  name: 'add-ticket-counts',
  text: `WITH minute AS (
       INSERT INTO ticket_minutes (ticket_id, minute, finished)
       SELECT $1, date_trunc('minute', now()), $2::integer + $3::integer WHERE $2 + $3 > 0
       ON CONFLICT (ticket_id, minute) DO UPDATE SET finished = ticket_minutes.finished + excluded.finished)
     UPDATE tickets SET
       done = done + $2, failed = failed + $3, activated = activated + $4, unactivated = unactivated + $5,
       unavailable = unavailable + $6,
       status = CASE WHEN done + failed + $2 + $3 >= total THEN 'Completed' ELSE 'Processing' END::ticket_status,
       started_at = coalesce(started_at, now()),
       finished_at = CASE WHEN done + failed + $2 + $3 >= total THEN now() END,
       waiting_for = CASE WHEN $2 + $3 = 0 THEN waiting_for END,
       waiting_source = CASE WHEN $2 + $3 = 0 THEN waiting_source END
     WHERE id = $1`,
});

/**
 * Adds finished rows to a locked ticket's counters and to those of this minute, and sets its status. A ticket with finished
 * rows waits for nothing.
 */
export async function updateTicket(tx: Queryable, id: number, counts: Counts): Promise<void> {
  const { done, failed, activated, unactivated, unavailable } = counts;
  await addCounts.run(tx, [id, done, failed, activated, unactivated, unavailable]);
}
