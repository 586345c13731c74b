import {
  describeTicket,
  getTicketInScope,
  type TicketRow,
} from '#features/tickets/server/tickets.service.ts';
import type { Caller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db.ts';
import { FairSlots } from '#server/fair-slots.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { ComparedTicket, Comparison } from '../results.contract.ts';
import { countRows } from './count-rows.ts';
import { KeptAnswers } from './kept-answers.ts';
import { countSharedSerials } from './overlap.queries.ts';
import type { RowSearches } from './search-rows.ts';

const mostOverlaps = 200;
const patienceMs = 30_000;

/**
 * How many serials pairs of tickets share, counted once: a ticket's rows come and go with its import and its deletion
 * alone. One pair of a company at a time, two in all: large tickets keep a core of the database busy for seconds.
 */
export class SerialOverlaps {
  readonly #slots = new FairSlots({ atOnce: 2, patienceMs });
  readonly #counted = new KeptAnswers<Comparison['serials']>(mostOverlaps);

  count(db: Db, caller: Caller, first: TicketRow, second: TicketRow): Promise<Comparison['serials']> {
    const question = [first, second].flatMap((ticket) => [
      ticket.id,
      ticket.total,
      ticket.serial_deleted,
      ticket.coverage_deleted,
    ]);
    return this.#counted.get(JSON.stringify(question), async () => {
      const giveBack = await this.#slots.take(caller, new AbortController().signal);
      return countSharedSerials(db, first.id, second.id).finally(giveBack);
    });
  }
}

type Kept = { searches: RowSearches; overlaps: SerialOverlaps };

/**
 * Two tickets beside each other; of different companies, too, where the caller sees both.
 * @param pair their numbers: `3,5`
 * @throws AppError 404 when either lies outside the caller's scope
 */
export async function compareTickets(
  { db, config, now }: Context,
  { searches, overlaps }: Kept,
  caller: Caller,
  pair: string,
): Promise<Comparison> {
  const [one = '', other = ''] = pair.split(',');
  const first = await getTicketInScope(db, caller, one);
  const second = await getTicketInScope(db, caller, other);
  const today = dayIn(config.APP_TIMEZONE, now());
  const readSide = async (row: TicketRow): Promise<ComparedTicket> => {
    const index = row.coverage_deleted ? undefined : await searches.index(db, row);
    return { ticket: describeTicket(row), counts: countRows(index, today).counts };
  };
  // One after the other: a large ticket keeps a connection and a core of the database busy for a while.
  return {
    first: await readSide(first),
    second: await readSide(second),
    serials: await overlaps.count(db, caller, first, second),
  };
}
