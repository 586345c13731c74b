import {
  describeTicket,
  getTicketInScope,
  type TicketRow,
} from '#features/tickets/server/tickets.service.ts';
import type { Caller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { FairSlots } from '#server/fair-slots.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { ComparedTicket, Comparison } from '../results.contract.ts';
import type { CountCache } from './count-cache.ts';
import { countSharedSerials } from './overlap.queries.ts';
import { countAll } from './results.service.ts';

// One pair of a company at a time, two in all: large tickets keep a core of the database busy for seconds.
const slots = new FairSlots({ atOnce: 2, patienceMs: 30_000 });

/**
 * Two tickets beside each other; of different companies, too, where the caller sees both.
 * @param pair their numbers: `3,5`
 * @throws AppError 404 when either lies outside the caller's scope
 */
export async function compareTickets(
  context: Context,
  cache: CountCache,
  caller: Caller,
  pair: string,
): Promise<Comparison> {
  const { db, config, now } = context;
  const [one = '', other = ''] = pair.split(',');
  const first = await getTicketInScope(db, caller, one);
  const second = await getTicketInScope(db, caller, other);
  const today = dayIn(config.APP_TIMEZONE, now());
  const readSide = async (row: TicketRow): Promise<ComparedTicket> => {
    const { counts } = await countAll(db, cache, row.coverage_deleted ? undefined : row, today);
    return { ticket: describeTicket(row), counts };
  };
  // One after the other: a large ticket keeps a connection and a core of the database busy for a while.
  return {
    first: await readSide(first),
    second: await readSide(second),
    serials: await countShared(context, cache, caller, first, second),
  };
}

async function countShared(
  { db }: Context,
  cache: CountCache,
  caller: Caller,
  first: TicketRow,
  second: TicketRow,
): Promise<Comparison['serials']> {
  // A ticket's serials come and go with its import and its deletion alone.
  const versions = [first, second].map((ticket) => [
    ticket.id,
    ticket.total,
    ticket.serial_deleted,
    ticket.coverage_deleted,
  ]);
  return cache.get(['shared', versions], async () => {
    const giveBack = await slots.take(caller, new AbortController().signal);
    return countSharedSerials(db, first.id, second.id).finally(giveBack);
  });
}
