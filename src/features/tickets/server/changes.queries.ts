import { bool, int8, text } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import type { Scope } from './tickets.queries.ts';

/** After so many changes it is not worth looking at each. */
const most = 1000;

const findSince = (changed: string) => `
  SELECT q.place, pg_current_snapshot()::text AS snapshot, c.changed
  FROM unnest($1::pg_snapshot[], $2::bigint[], $3::text[]) WITH ORDINALITY q(since, ticket_number, scope, place)
  CROSS JOIN LATERAL (${changed}) c`;

// In order and with a limit, so that an index gives the few since the snapshot, however many tickets there are.
const isAnyChanged = (where: string) => `
  SELECT coalesce(bool_or(NOT pg_visible_in_snapshot(changed_by, q.since)), false) OR count(*) = ${most} AS changed
  FROM (SELECT changed_by FROM ticket_changes WHERE ${where}changed_by >= pg_snapshot_xmin(q.since)
        ORDER BY changed_by DESC LIMIT ${most}) latest`;
const isTicketChanged = `
  SELECT coalesce(NOT pg_visible_in_snapshot(changed_by, q.since), true) AS changed
  FROM ticket_changes WHERE ticket_number = q.ticket_number AND (q.scope IS NULL OR company_code = q.scope)`;

const row = { place: int8, snapshot: text, changed: bool };

/** A statement for each kind of question. */
const finders = {
  any: statement({ name: 'find-changes', text: findSince(isAnyChanged('')), row }),
  company: statement({
    name: 'find-company-changes',
    text: findSince(isAnyChanged('company_code = q.scope AND ')),
    row,
  }),
  ticket: statement({ name: 'find-ticket-changes', text: findSince(isTicketChanged), row }),
};
const kindOf = ({ scope, ticketNumber }: ChangeQuestion) =>
  ticketNumber !== undefined ? 'ticket' : scope === null ? 'any' : 'company';

export type ChangeQuestion = {
  /** The company that bounds what is seen; a named ticket that lies outside counts as changed. */
  scope: Scope;
  ticketNumber?: string | undefined;
  /** The snapshot of an answer that is known; null where there is none: then something is changed. */
  since: string | null;
};

/** The present snapshot, to be taken before what is read by it, and whether a ticket was changed since the known one. */
export type FoundChanges = { snapshot: string | null; changed: boolean };

/** Looks for changes, for each question by itself, in the order of the questions. */
export async function findChanges(db: Queryable, questions: ChangeQuestion[]): Promise<FoundChanges[]> {
  const found = questions.map((): FoundChanges => ({ snapshot: null, changed: true }));
  const byKind = Map.groupBy(questions.keys(), (at) => kindOf(questions[at] as ChangeQuestion));
  await Promise.all(
    [...byKind].map(async ([kind, ats]) => {
      const asked = ats.map((at) => questions[at] as ChangeQuestion);
      const rows = await finders[kind].all(db, [
        asked.map(({ since }) => since),
        asked.map(({ ticketNumber }) => ticketNumber ?? null),
        asked.map(({ scope }) => scope),
      ]);
      for (const { place, snapshot, changed } of rows) {
        const at = ats[place - 1] as number;
        found[at] = { snapshot, changed: changed || questions[at]?.since === null };
      }
    }),
  );
  return found;
}
