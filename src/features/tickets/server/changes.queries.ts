import { bool, text } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import type { Scope } from './tickets.queries.ts';

const row = { snapshot: text, changed: bool };

/** After so many changes it is not worth looking at each. */
const most = 1000;

// In order and with a limit, so that an index gives the few since the snapshot, however many tickets there are.
const findSince = (where: string) => `
  SELECT pg_current_snapshot()::text AS snapshot,
    coalesce(bool_or(NOT pg_visible_in_snapshot(changed_by, $1::pg_snapshot)), false) OR count(*) = ${most} AS changed
  FROM (SELECT changed_by FROM ticket_changes WHERE ${where}changed_by >= pg_snapshot_xmin($1::pg_snapshot)
        ORDER BY changed_by DESC LIMIT ${most}) c`;

const findAny = statement({ name: 'find-changes', text: findSince(''), row });
const findOfCompany = statement({
  name: 'find-company-changes',
  text: findSince('company_code = $2 AND '),
  row,
});
const findOfTicket = statement({
  name: 'find-ticket-changes',
  text: `SELECT pg_current_snapshot()::text AS snapshot, NOT pg_visible_in_snapshot(changed_by, $1::pg_snapshot) AS changed
     FROM ticket_changes WHERE ticket_number = $2 AND ($3::text IS NULL OR company_code = $3)`,
  row,
});

/**
 * The present snapshot, to be taken before what is read by it, and whether a ticket was changed since an earlier one.
 * @param scope the company that bounds what is seen; a named ticket that lies outside counts as changed
 * @param since null where there is none: then something is changed
 */
export async function findChanges(
  db: Queryable,
  { scope, ticketNumber }: { scope: Scope; ticketNumber?: string | undefined },
  since: string | null,
): Promise<{ snapshot: string | null; changed: boolean }> {
  const found =
    ticketNumber !== undefined
      ? await findOfTicket.first(db, [since, ticketNumber, scope])
      : scope === null
        ? await findAny.one(db, [since])
        : await findOfCompany.one(db, [since, scope]);
  if (!found) return { snapshot: null, changed: true };
  return { snapshot: found.snapshot, changed: since === null || found.changed };
}
