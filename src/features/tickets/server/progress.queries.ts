import { bool, float8, int8, listColumns, nullable, type RowOf, text } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import { newestFirst, type Scope, ticketRow } from './tickets.queries.ts';

const row = {
  ...ticketRow,
  /** Rows finished a minute, of late; null where none was. */
  rate: nullable(float8),
};

export type ProgressRow = RowOf<typeof row>;

// The rate of the last five minutes, from the first of them in which a row was finished. A minute's row says nothing
// about when in the minute work began; where the ticket itself began later, its start counts.
const withRate = `
  SELECT ${listColumns(ticketRow, 't')}, r.rate FROM tickets t
  LEFT JOIN LATERAL (
    SELECT 60.0::float8 * sum(finished)
      / greatest(1, extract(epoch FROM now() - greatest(min(minute), t.started_at))) AS rate
    FROM ticket_minutes
    WHERE ticket_id = t.id AND minute > now() - interval '5 minutes' AND t.status = 'Processing'
  ) r ON true`;

/** A ticket, whose it may be, and the snapshot of an answer that is known; null where there is none. */
export type ProgressQuestion = { ticketNumber: number; scope: Scope; since: string | null };

/** The snapshot that a ticket was read from; its row is null, and was not read, where nothing changed since the known one. */
export type FoundProgress = { snapshot: string; row: ProgressRow | null };

const findSince = (questions: string) => `
  SELECT q.place, pg_current_snapshot()::text AS snapshot, c.changed, p.id IS NOT NULL AS there, ${listColumns(row, 'p')}
  FROM ${questions} CROSS JOIN LATERAL (
    SELECT ticket_number, coalesce(NOT pg_visible_in_snapshot(changed_by, q.since), true) AS changed
    FROM ticket_changes WHERE ticket_number = q.ticket_number AND (q.scope IS NULL OR company_code = q.scope)
  ) c LEFT JOIN LATERAL (${withRate} WHERE c.changed AND t.ticket_number = c.ticket_number) p ON true`;
const foundRow = { place: int8, snapshot: text, changed: bool, there: bool, ...row };

// By far the most often asked, and planned for one row.
const findOne = statement({
  name: 'find-progress',
  text: findSince(
    '(SELECT 1::bigint AS place, $1::bigint AS ticket_number, $2::text AS scope, $3::pg_snapshot AS since) q',
  ),
  row: foundRow,
});
const findAll = statement({
  name: 'find-progress-together',
  text: findSince(
    'unnest($1::bigint[], $2::text[], $3::pg_snapshot[]) WITH ORDINALITY q(ticket_number, scope, since, place)',
  ),
  row: foundRow,
});

/** One ticket each in its scope with its rate, in the order of the questions; undefined where it is not there. */
export async function findProgressSince(
  db: Queryable,
  questions: ProgressQuestion[],
): Promise<(FoundProgress | undefined)[]> {
  const numbers = questions.map(({ ticketNumber }) => ticketNumber);
  const scopes = questions.map(({ scope }) => scope);
  const snapshots = questions.map(({ since }) => since);
  const rows =
    questions.length === 1
      ? await findOne.all(db, [numbers[0], scopes[0], snapshots[0]])
      : await findAll.all(db, [numbers, scopes, snapshots]);
  const found: (FoundProgress | undefined)[] = questions.map(() => undefined);
  for (const { place, snapshot, changed, there, ...row } of rows) {
    if (there || !changed) found[place - 1] = { snapshot, row: changed ? row : null };
  }
  return found;
}

const findNewest = statement({
  name: 'find-newest-progress',
  text: `${withRate} WHERE $1::text IS NULL OR t.company_code = $1 ORDER BY ${newestFirst} LIMIT 1`,
  row,
});

/** The newest ticket in the scope with its rate. */
export function findNewestProgress(db: Queryable, scope: Scope): Promise<ProgressRow | undefined> {
  return findNewest.first(db, [scope]);
}

const listWithRate = statement({
  text: `${withRate}
     WHERE t.total > 0 AND NOT (t.serial_deleted AND t.coverage_deleted)
       AND ($1::text IS NULL OR t.company_code = $1) AND ($2::text IS NULL OR t.company_code = $2)
     ORDER BY ${newestFirst} LIMIT $3`,
  row,
});

/** The newest tickets in the scope that have rows. */
export function listProgressRows(
  db: Queryable,
  scope: Scope,
  companyCode: string | undefined,
  limit: number,
): Promise<ProgressRow[]> {
  return listWithRate.all(db, [scope, companyCode ?? null, limit]);
}
