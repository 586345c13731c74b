import type { Db } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { normalisePart } from '#shared/search.ts';
import { findClients, findDevices, findInvoices, findTickets, findUsers } from './search.queries.ts';

const maxPerKind = 10;
const minCharacters = 3;
/** A shorter part of a serial matches too many. */
const minSerialLength = 6;

/** Finds devices, tickets, companies, and for administrators users and invoices, in the caller's scope: at most 10 of each. */
export async function search(db: Db, caller: Caller, q: string, companyCode: string | undefined) {
  if (q.length < minCharacters) return { devices: [], tickets: [], clients: [], users: [], invoices: [] };
  const companies = { scope: scopeOf(caller), companyCode: companyCode ?? null };
  const searched = { ...companies, limit: maxPerKind, q };
  const part = normalisePart(q);
  const isSerial = part.length >= minSerialLength && /^[0-9A-Z]+$/.test(part);
  const isAdmin = caller.role !== 'user';
  // One after the other, because a heavy read uses up to three connections.
  const findOthers = async () => ({
    clients: await findClients.all(db, searched),
    users: isAdmin ? await findUsers.all(db, searched) : [],
    invoices: isAdmin ? await findInvoices.all(db, searched) : [],
  });
  const [devices, tickets, { clients, users, invoices }] = await Promise.all([
    isSerial ? findDevices(db, companies, part, maxPerKind) : [],
    findTickets.all(db, searched),
    findOthers(),
  ]);
  return {
    devices: devices.map(({ id, serial, place, ...device }) => ({
      _id: String(id),
      serial_number: serial,
      ticket_number: place && String(place.ticket_number),
      position: place?.position ?? null,
      ...device,
    })),
    tickets: tickets.map((ticket) => ({ ...ticket, ticket_number: String(ticket.ticket_number) })),
    clients,
    users: users.map(({ id, ...user }) => ({ _id: String(id), ...user })),
    invoices: invoices.map(({ id, ...invoice }) => ({ _id: String(id), ...invoice })),
  };
}
