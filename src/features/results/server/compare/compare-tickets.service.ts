import type { ComparedTicket, Comparison } from '#features/results/results.contract.ts';
import {
  describeTicketMatch,
  requireTicketInScope,
  type TicketRow,
  type UploadedTicketRow,
} from '#features/tickets/server/tickets.service.ts';
import type { CountCache } from '#server/concurrency/count-cache.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { countAll } from '../results.service.ts';
import { countSharedSerials } from './ticket-changes.queries.ts';

/**
 * Compares two tickets that the caller may see.
 * @param pair their numbers: `3,5`
 * @throws AppError 404 when either lies outside the caller's scope
 */
export async function compareTickets(
  { db, config, now }: Context,
  cache: CountCache,
  caller: Caller,
  pair: string,
): Promise<Comparison> {
  const [one = '', other = ''] = pair.split(',');
  const first = await requireTicketInScope(db, caller, one);
  const second = await requireTicketInScope(db, caller, other);
  const today = dayIn(config.APP_TIMEZONE, now());
  const readSide = async (row: UploadedTicketRow): Promise<ComparedTicket> => {
    const { counts } = await countAll(db, cache, row.coverage_deleted ? undefined : row, today);
    return { ticket: describeTicketMatch(row, caller), counts };
  };
  // One after the other, because counting a large ticket keeps a core of the database busy.
  return {
    first: await readSide(first),
    second: await readSide(second),
    serials: await countShared(db, cache, first, second),
  };
}

function countShared(
  db: Db,
  cache: CountCache,
  first: TicketRow,
  second: TicketRow,
): Promise<Comparison['serials']> {
  // Only an import and a deletion change the serials of a ticket.
  const versions = [first, second].map((ticket) => [
    ticket.id,
    ticket.total,
    ticket.serial_deleted,
    ticket.coverage_deleted,
  ]);
  return cache.get(['shared', versions], () =>
    countSharedSerials.one(db, { firstTicketId: first.id, secondTicketId: second.id }),
  );
}
