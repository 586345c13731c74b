import { array, int4, int8, jsonb, notNull, nullable, text, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** Tickets that are compared, newest first. More of the same length and first serial are rare, and would only delay the preview. */
const maxCandidates = 20;
/** Serials that are compared at once: the first of them usually tell two sheets apart. */
const serialsAtOnce = 2000;

const candidates = statement({
  text: `SELECT id, ticket_number, imported_at, (
         SELECT jsonb_build_object('name', u.name, 'email', u.email) FROM users u
         WHERE u.id = imported_by AND u.role <> 'superadmin') AS uploader
     FROM tickets
     WHERE company_code = :companyCode AND imported_at > now() - interval '30 days' AND total - invalid_count = :length
       AND NOT serial_deleted AND NOT coverage_deleted
       AND EXISTS (SELECT FROM serials s WHERE s.ticket_id = tickets.id AND s.serial COLLATE "C" = :first AND s.kind IS NOT NULL)
     ORDER BY imported_at DESC LIMIT ${maxCandidates}`,
  params: { companyCode: text, length: int4, first: text },
  row: {
    id: int8,
    ticket_number: int8,
    imported_at: notNull(timestamptz),
    uploader: nullable(jsonb<{ name: string; email: string }>()),
  },
});

const countShared = statement({
  text: `SELECT count(*) FROM unnest(:some::text[]) AS wanted (serial)
     JOIN serials AS s ON s.ticket_id = :ticketId AND s.serial COLLATE "C" = wanted.serial AND s.kind IS NOT NULL`,
  params: { ticketId: int8, some: array(text) },
  row: { count: int8 },
});

/**
 * Finds the newest ticket of a company that was imported in the last 30 days with exactly these serials.
 * @param serials each once
 */
export async function findSeenTicket(db: Queryable, companyCode: string, serials: string[]) {
  const [first] = serials;
  if (first === undefined) return undefined;
  for (const ticket of await candidates.all(db, { companyCode, length: serials.length, first })) {
    if (await hasAll(db, ticket.id, serials)) return ticket;
  }
  return undefined;
}

/** Returns whether a ticket with as many serials as given has all of them. */
async function hasAll(db: Queryable, ticketId: number, serials: string[]): Promise<boolean> {
  for (let from = 0; from < serials.length; from += serialsAtOnce) {
    const some = serials.slice(from, from + serialsAtOnce);
    if ((await countShared.one(db, { ticketId, some })).count < some.length) return false;
  }
  return true;
}
