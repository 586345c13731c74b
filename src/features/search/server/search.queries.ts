import { date, enumeration, int4, int8, nullable, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { ticketStatuses } from '#shared/ticket-status.ts';

/** The searched companies: the caller's scope and the selected company; null for any. */
export type Companies = { scope: string | null; companyCode: string | null };

const deviceRow = {
  serial: text,
  type: nullable(text),
  activation_status: nullable(enumeration('activation', ['activated', 'unactivated'])),
  coverage_end_date: nullable(date),
  ticket_number: int8,
  company_code: text,
  position: int4,
};
export type DeviceRow = RowOf<typeof deviceRow>;

const serial = 'serial COLLATE "C"';

/** Rows scanned for the end of a serial: up to 1.5 s of CPU. */
const maxScanned = 2_000_000;

/**
 * Declares a search for at most `$3` visible rows of the companies `$1` and `$2`, newest tickets first. It stops at the
 * ticket with which there are enough. Cells without an identifier are no devices.
 */
const findRows = (name: string, where: string, newest = 'true') =>
  statement({
    name,
    text: `SELECT s.serial, s.type, s.activation_status, s.coverage_end_date, t.ticket_number, t.company_code, s.position
     FROM (
       SELECT *, sum(total) OVER (ORDER BY ticket_number DESC) - total AS newer_rows FROM tickets
       WHERE ($1::text IS NULL OR company_code = $1) AND ($2::text IS NULL OR company_code = $2) AND NOT coverage_deleted
     ) AS t CROSS JOIN LATERAL (
       SELECT * FROM serials
       WHERE ticket_id = t.id AND ${where} AND kind IS NOT NULL AND NOT (state = 'pending' AND t.serial_deleted)
       ORDER BY ${serial}, position LIMIT $3) AS s
     WHERE ${newest}
     ORDER BY t.ticket_number DESC, ${serial}, s.position LIMIT $3`,
    row: deviceRow,
  });

/** By the whole serial, and by its beginning but not the whole: one index lookup per ticket. */
const findWhole = findRows('find-devices-by-serial', `${serial} = $4 COLLATE "C"`);
const findBeginning = findRows(
  'find-devices-by-beginning',
  // No letter and no digit comes after a tilde.
  `${serial} > $4 COLLATE "C" AND ${serial} < ($4 || '~') COLLATE "C"`,
);
/** By the end but not the beginning: scans the newest tickets, because an index would slow down each import. */
const findEnd = findRows(
  'find-devices-by-end',
  `"right"(serial, length($4)) = $4 AND NOT starts_with(serial, $4)`,
  `t.newer_rows < ${maxScanned}`,
);

/** The length of an IMEI. A text of this length cannot be a part of another identifier. */
const longestSerial = 15;

/** Finds at most `limit` devices by a part of their serial: by the whole serial, then its beginning, then its end. */
export async function findDevices(
  db: Queryable,
  { scope, companyCode }: Companies,
  part: string,
  limit: number,
): Promise<DeviceRow[]> {
  const found: DeviceRow[] = [];
  for (const step of part.length < longestSerial ? [findWhole, findBeginning, findEnd] : [findWhole]) {
    if (found.length < limit) {
      found.push(...(await step.all(db, [scope, companyCode, limit - found.length, part])));
    }
  }
  return found;
}

const findTicketRows = statement({
  text: `SELECT ticket_number, company_code, file_name, status FROM tickets
     WHERE ($1::text IS NULL OR company_code = $1) AND ($2::text IS NULL OR company_code = $2)
       AND (starts_with(ticket_number::text, $4) OR strpos(lower(file_name), lower($4)) > 0)
     ORDER BY ticket_number::text <> $4, ticket_number DESC LIMIT $3`,
  row: {
    ticket_number: int8,
    company_code: text,
    file_name: nullable(text),
    status: enumeration('ticket_status', ticketStatuses),
  },
});

/** Finds tickets by the beginning of their number or a part of their file name: the exact number first, then newest. */
export function findTickets(db: Queryable, { scope, companyCode }: Companies, q: string, limit: number) {
  return findTicketRows.all(db, [scope, companyCode, limit, q]);
}

const findClientRows = statement({
  text: `SELECT company_code, company_name FROM clients
     WHERE ($1::text IS NULL OR company_code = $1) AND ($2::text IS NULL OR company_code = $2)
       AND (strpos(lower(company_name), lower($4)) > 0 OR strpos(lower(company_code), lower($4)) > 0)
     ORDER BY lower(company_code) <> lower($4), company_name, company_code LIMIT $3`,
  row: { company_code: text, company_name: text },
});

/** Finds companies by a part of their name or code: the exact code first, then by name. */
export function findClients(db: Queryable, { scope, companyCode }: Companies, q: string, limit: number) {
  return findClientRows.all(db, [scope, companyCode, limit, q]);
}
