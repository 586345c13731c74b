import type { DeviceAnswer } from '#features/devices/server/devices.service.ts';
import { describeAnswer, kindOfAnswer } from '#features/rechecks/server/changes/change-kinds.service.ts';
import { readBatches } from '#server/db/bulk/read-batches.ts';
import { int4, int8, jsonb, notNull, nullable, type RowOf, text, textOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { TicketChangeKind } from '../../results.contract.ts';
import { visibleRowsOf } from '../results.queries.ts';

/** Two tickets, by their ids. */
export type TicketPair = { older: number; newer: number; timeZone: string };

/** The identifiers of a ticket. Those without an answer (pending, `Source unavailable`) are not `answered`. */
const rowsOf = (ticketId: string) => `(
  SELECT ticket_id, position, serial, state, state = 'done' OR reason = 'Not found' AS answered, fetched_at AS at,
    type, activation_status, purchase_date, warranty_title, coverage_start_date, coverage_end_date
  FROM ${visibleRowsOf(ticketId)} AND kind IS NOT NULL)`;

const answerOf = (
  alias: string,
) => `(${alias}.state, ${alias}.type, ${alias}.activation_status, ${alias}.purchase_date,
  ${alias}.warranty_title, ${alias}.coverage_start_date, ${alias}.coverage_end_date)`;

/**
 * The devices whose answer in the newer ticket is another than in the older ticket, or that only one of them has. None
 * if the results of either were deleted, because then nothing is known about a change.
 */
const changes = `(
  SELECT coalesce(a.ticket_id, b.ticket_id) || '-' || coalesce(a.position, b.position) AS id,
    coalesce(a.serial, b.serial) AS serial,
    CASE WHEN b.serial IS NULL THEN 'added' WHEN a.serial IS NULL THEN 'removed'
      WHEN a.state = 'failed' THEN 'not_found' ELSE ${kindOfAnswer} END AS kind,
    b, a
  FROM ${rowsOf(':older')} AS b FULL JOIN ${rowsOf(':newer')} AS a ON a.serial = b.serial
  WHERE NOT EXISTS (SELECT FROM tickets WHERE id IN (:older, :newer) AND coverage_deleted)
    AND (a.serial IS NULL OR b.serial IS NULL
      OR a.answered AND b.answered AND ${answerOf('a')} IS DISTINCT FROM ${answerOf('b')})) AS changes`;

const row = {
  id: text,
  serial: text,
  kind: notNull(textOf<TicketChangeKind>()),
  before: notNull(jsonb<DeviceAnswer>()),
  after: notNull(jsonb<DeviceAnswer>()),
};
export type TicketChangeRow = RowOf<typeof row>;

// The answers of the page alone are described, because that takes longer than finding the changes.
/** Lists a page of the changes of a kind, or of all, by serial. */
export const listTicketChanges = statement({
  text: `SELECT id, serial, kind, ${describeAnswer('(b)')} AS before, ${describeAnswer('(a)')} AS after
     FROM (SELECT * FROM ${changes} WHERE :kind::text IS NULL OR kind = :kind
       ORDER BY serial COLLATE "C" LIMIT :limit OFFSET :offset) AS page`,
  params: {
    older: int8,
    newer: int8,
    timeZone: text,
    kind: nullable(text),
    limit: nullable(int8),
    offset: int8,
  },
  row,
});

type Kind = TicketChangeKind | null;

/** Reads all changes of a kind, or of all, in batches, as of the first batch. */
export function readTicketChanges(
  client: Queryable,
  tickets: TicketPair,
  kind: Kind,
  rowsAtOnce: number,
): AsyncGenerator<TicketChangeRow[]> {
  return readBatches(client, listTicketChanges, { ...tickets, kind, limit: null, offset: 0 }, rowsAtOnce);
}

/** Counts the changes by kind. A kind without changes is missing. */
export const countTicketChanges = statement({
  text: `SELECT kind, count(*) FROM ${changes} GROUP BY kind`,
  params: { older: int8, newer: int8, timeZone: text },
  row: { kind: notNull(textOf<TicketChangeKind>()), count: int8 },
});

// Sequential reads into a hash table. For two tickets of a million rows this takes as long as reading one of them four
// times. A merge join by the index of serials takes two to four times as long, because it reads at random.
/** Counts the identifiers that are in both tickets, and in only one of them. Ignores invisible rows. */
export const countSharedSerials = statement({
  text: `SELECT count(*) FILTER (WHERE in_first AND in_second)::integer AS both,
       count(*) FILTER (WHERE NOT in_second)::integer AS only_first,
       count(*) FILTER (WHERE NOT in_first)::integer AS only_second
     FROM (
       SELECT bool_or(ticket_id = :firstTicketId) AS in_first, bool_or(ticket_id = :secondTicketId) AS in_second
       FROM serials JOIN tickets ON tickets.id = ticket_id
       WHERE ticket_id IN (:firstTicketId, :secondTicketId) AND kind IS NOT NULL
         AND NOT coverage_deleted AND (state <> 'pending' OR NOT serial_deleted)
       GROUP BY serial
     ) AS presence`,
  params: { firstTicketId: int8, secondTicketId: int8 },
  row: { both: int4, only_first: int4, only_second: int4 },
});
