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
 * Declares a search for at most `:limit` registered devices of some companies, each with its place in the newest
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
     WHERE (:scope::text IS NULL OR company_code = :scope)
       AND (:companyCode::text IS NULL OR company_code = :companyCode) AND ${where}
     ORDER BY d.serial, d.company_code LIMIT :limit`,
    params: { scope: nullable(text), companyCode: nullable(text), limit: int8, part: text },
    row: deviceRow,
  });

const findWhole = findRegistered('serial = :part');
/** By the beginning but not the whole. No letter and no digit comes after a tilde. */
const findBeginning = findRegistered(`serial > :part AND serial < :part || '~'`);
/** By the end but not the beginning. */
const findEnd = findRegistered(
  `reverse(serial) >= reverse(:part) AND reverse(serial) < reverse(:part) || '~' AND NOT starts_with(serial, :part)`,
);

/** The length of an IMEI. A text of this length cannot be a part of another identifier. */
const maxSerialLength = 15;

/** Finds at most `limit` devices by a part of their serial: by the whole serial, then its beginning, then its end. */
export async function findDevices(
  db: Queryable,
  companies: Companies,
  part: string,
  limit: number,
): Promise<DeviceRow[]> {
  const found: DeviceRow[] = [];
  for (const step of part.length < maxSerialLength ? [findWhole, findBeginning, findEnd] : [findWhole]) {
    if (found.length < limit) {
      found.push(...(await step.all(db, { ...companies, limit: limit - found.length, part })));
    }
  }
  return found;
}

/** SQL condition: of the searched companies. */
const inCompanies = `(:scope::text IS NULL OR company_code = :scope)
       AND (:companyCode::text IS NULL OR company_code = :companyCode)`;
const params = { scope: nullable(text), companyCode: nullable(text), limit: int8, q: text };

/** Finds tickets by the beginning of their number or a part of their file name: the exact number first, then newest. */
export const findTickets = statement({
  text: `SELECT ticket_number, company_code, file_name, status FROM tickets
     WHERE ${inCompanies}
       AND (starts_with(ticket_number::text, :q) OR strpos(lower(file_name), lower(:q)) > 0)
     ORDER BY ticket_number::text <> :q, ticket_number DESC LIMIT :limit`,
  params,
  row: {
    ticket_number: int8,
    company_code: text,
    file_name: nullable(text),
    status: enumeration('ticket_status', ticketStatuses),
  },
});

/** Finds companies by a part of their name or code: the exact code first, then by name. */
export const findClients = statement({
  text: `SELECT company_code, company_name FROM clients
     WHERE ${inCompanies}
       AND (strpos(lower(company_name), lower(:q)) > 0 OR strpos(lower(company_code), lower(:q)) > 0)
     ORDER BY lower(company_code) <> lower(:q), company_name, company_code LIMIT :limit`,
  params,
  row: { company_code: text, company_name: text },
});

/** Finds users by a part of their name or email address: the exact address first, then by name. */
export const findUsers = statement({
  text: `SELECT id, email, name, company_code FROM users
     WHERE (:scope::text IS NULL OR company_code = :scope AND NOT superadmin)
       AND (:companyCode::text IS NULL OR company_code = :companyCode)
       AND (strpos(lower(name), lower(:q)) > 0 OR strpos(lower(email), lower(:q)) > 0)
     ORDER BY lower(email) <> lower(:q), lower(name), id LIMIT :limit`,
  params,
  row: { id: int8, email: text, name: text, company_code: nullable(text) },
});

/** Finds issued invoices by a part of their number: the exact number first, then newest. */
export const findInvoices = statement({
  text: `SELECT id, number, company_code FROM invoices
     WHERE ${inCompanies} AND strpos(number, upper(:q)) > 0
     ORDER BY number <> upper(:q), issued_at DESC LIMIT :limit`,
  params,
  row: { id: int8, number: notNull(text), company_code: text },
});
