import {
  array,
  bool,
  int4,
  int8,
  jsonb,
  notNull,
  nullable,
  text,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { InvalidCell } from '../reading/column-reader.ts';

/**
 * The maximum number of tickets to compare, newest first. More tickets with a suitable length and the same first serial are
 * rare, and would only delay the preview.
 */
const maxCandidates = 20;
/** Serials that are compared at once: the first of them usually tell two sheets apart. */
const serialsAtOnce = 2000;

const candidates = statement({
  text: `SELECT id, ticket_number, imported_at, total - invalid_count AS accepted, (
         SELECT jsonb_build_object('name', u.name, 'email', u.email) FROM users u
         WHERE u.id = imported_by AND u.role <> 'superadmin') AS uploader
     FROM tickets
     WHERE company_code = :companyCode AND imported_at > now() - interval '30 days'
       AND (total - invalid_count = :length OR :hasInvalid AND total - invalid_count > :length)
       AND NOT serial_deleted AND NOT coverage_deleted
       AND EXISTS (SELECT FROM serials s WHERE s.ticket_id = tickets.id AND s.serial COLLATE "C" = :first AND s.kind IS NOT NULL)
     ORDER BY imported_at DESC LIMIT ${maxCandidates}`,
  params: { companyCode: text, length: int4, hasInvalid: bool, first: text },
  row: {
    id: int8,
    ticket_number: int8,
    imported_at: notNull(timestamptz),
    accepted: int4,
    uploader: nullable(jsonb<{ name: string; email: string }>()),
  },
});

const countShared = statement({
  text: `SELECT count(*) FROM unnest(:some::text[]) AS wanted (serial)
     JOIN serials AS s ON s.ticket_id = :ticketId AND s.serial COLLATE "C" = wanted.serial AND s.kind IS NOT NULL`,
  params: { ticketId: int8, some: array(text) },
  row: { count: int8 },
});

const countCorrected = statement({
  text: `SELECT count(*) FROM unnest(:rows::int[], :texts::text[]) AS cell (sheet_row, text)
     JOIN serials AS s ON s.ticket_id = :ticketId AND s.sheet_row = cell.sheet_row AND s.original = cell.text AND s.kind IS NOT NULL`,
  params: { ticketId: int8, rows: array(int4), texts: array(text) },
  row: { count: int8 },
});

/**
 * Finds the newest ticket of a company that was imported in the last 30 days with exactly these serials, or with these and
 * corrections of these cells.
 * @param serials each once
 */
export async function findSeenTicket(
  db: Queryable,
  companyCode: string,
  { serials, invalid }: { serials: string[]; invalid: readonly InvalidCell[] },
) {
  const [first] = serials;
  if (first === undefined) return undefined;
  const length = serials.length;
  const rows = invalid.map(({ row }) => row);
  const texts = invalid.map(({ value }) => value);
  const hasInvalid = invalid.length > 0;
  for (const ticket of await candidates.all(db, { companyCode, length, hasInvalid, first })) {
    const isLonger = ticket.accepted > length;
    const corrected = isLonger
      ? (await countCorrected.one(db, { ticketId: ticket.id, rows, texts })).count
      : 0;
    if (ticket.accepted === length + corrected && (await hasAll(db, ticket.id, serials))) return ticket;
  }
  return undefined;
}

/** Returns whether a ticket has all of these serials. */
async function hasAll(db: Queryable, ticketId: number, serials: string[]): Promise<boolean> {
  for (let from = 0; from < serials.length; from += serialsAtOnce) {
    const some = serials.slice(from, from + serialsAtOnce);
    if ((await countShared.one(db, { ticketId, some })).count < some.length) return false;
  }
  return true;
}
