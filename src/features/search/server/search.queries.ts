import { ticketStatuses } from '#features/tickets/ticket-status.shared.ts';
import {
  date,
  enumeration,
  int8,
  jsonb,
  notNull,
  nullable,
  type RowOf,
  text,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The searched companies: the caller's scope and the selected company; null for any. */
export type Companies = { scope: string | null; companyCode: string | null };

const deviceRow = {
  id: int8,
  serial: text,
  type: nullable(text),
  activation_status: nullable(enumeration('activation', ['activated', 'unactivated'])),
  coverage_end_date: nullable(date),
  company_code: text,
  place: nullable(jsonb<{ ticket_number: number; position: number }>()),
};
export type DeviceRow = RowOf<typeof deviceRow>;

/**
 * Declares a search for at most `$3` registered devices of the companies `$1` and `$2`, each with its place in the newest
 * ticket that still has it. It has no name: PostgreSQL then plans for the companies of each call.
 */
const findRegistered = (where: string) =>
  statement({
    text: `SELECT d.id, d.serial, d.type, d.activation_status, d.coverage_end_date, d.company_code, (
         SELECT jsonb_build_object('ticket_number', t.ticket_number, 'position', s.position)
         FROM tickets t JOIN serials s ON s.ticket_id = t.id AND s.serial COLLATE "C" = d.serial
         WHERE t.ticket_number = ANY (d.tickets) AND NOT t.coverage_deleted
         ORDER BY t.ticket_number DESC, s.position LIMIT 1) AS place
     FROM devices d
     WHERE ($1::text IS NULL OR company_code = $1) AND ($2::text IS NULL OR company_code = $2) AND ${where}
     ORDER BY d.serial, d.company_code LIMIT $3`,
    row: deviceRow,
  });

const findWhole = findRegistered('serial = $4');
/** By the beginning but not the whole. No letter and no digit comes after a tilde. */
const findBeginning = findRegistered(`serial > $4 AND serial < $4 || '~'`);
/** By the end but not the beginning. */
const findEnd = findRegistered(
  `reverse(serial) >= reverse($4) AND reverse(serial) < reverse($4) || '~' AND NOT starts_with(serial, $4)`,
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

const findUserRows = statement({
  text: `SELECT id, email, name, company_code FROM users
     WHERE ($1::text IS NULL OR company_code = $1 AND NOT superadmin) AND ($2::text IS NULL OR company_code = $2)
       AND (strpos(lower(name), lower($4)) > 0 OR strpos(lower(email), lower($4)) > 0)
     ORDER BY lower(email) <> lower($4), lower(name), id LIMIT $3`,
  row: { id: int8, email: text, name: text, company_code: nullable(text) },
});

/** Finds users by a part of their name or email address: the exact address first, then by name. */
export function findUsers(db: Queryable, { scope, companyCode }: Companies, q: string, limit: number) {
  return findUserRows.all(db, [scope, companyCode, limit, q]);
}

const findInvoiceRows = statement({
  text: `SELECT id, number, company_code FROM invoices
     WHERE ($1::text IS NULL OR company_code = $1) AND ($2::text IS NULL OR company_code = $2)
       AND strpos(number, upper($4)) > 0
     ORDER BY number <> upper($4), issued_at DESC LIMIT $3`,
  row: { id: int8, number: notNull(text), company_code: text },
});

/** Finds issued invoices by a part of their number: the exact number first, then newest. */
export function findInvoices(db: Queryable, { scope, companyCode }: Companies, q: string, limit: number) {
  return findInvoiceRows.all(db, [scope, companyCode, limit, q]);
}
