import type { Queryable } from '#server/db/db.ts';
import type { DeviceQuery } from '../../devices.contract.ts';
import { listCompaniesOf } from './fields.queries.ts';

/** Finds the only company of the devices of a ticket, or with some ids; null for other filters, and for several companies. */
export async function findOnlyCompany(
  db: Queryable,
  { ticket_number: number, ids }: DeviceQuery,
): Promise<string | null> {
  if (!number && !ids) return null;
  const found = await listCompaniesOf.all(db, {
    ticketNumber: number ? Number(number) : null,
    ids: ids?.split(',').map(Number),
  });
  const [first, ...others] = found;
  return first && others.length === 0 ? first.company_code : null;
}
