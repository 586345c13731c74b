import { createTicketTurns, type TicketTurns } from './ticket-turns.ts';

/** Whose turn an item waits for. */
type Owner = { isRecheck: boolean; companyCode: string; ticketId: number };

export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>;

/**
 * A queue in which companies take turns, and in each company its tickets. A company's share does not depend on the number
 * and size of its tickets. Rechecks come behind all uploads.
 */
export function createFairQueue<T>() {
  const uploads = createCompanyTurns<T>();
  const rechecks = createCompanyTurns<T>();
  const turnsOf = ({ isRecheck, companyCode }: Owner) =>
    (isRecheck ? rechecks : uploads).ticketsOf(companyCode);
  return {
    push: (owner: Owner, item: T) => turnsOf(owner).push(owner.ticketId, item),
    /** Puts an item back in front of its ticket's other items. */
    unshift: (owner: Owner, item: T) => turnsOf(owner).unshift(owner.ticketId, item),
    /** Returns the next item of the company whose turn it is. */
    shift: (): T | undefined => uploads.shift() ?? rechecks.shift(),
    /** Removes the rechecks if they are behind uploads. */
    removeOutranked: (): T[] => (uploads.size > 0 ? rechecks.remove(() => true) : []),
    remove: (chosen: (item: T) => boolean) => [...uploads.remove(chosen), ...rechecks.remove(chosen)],
    get size() {
      return uploads.size + rechecks.size;
    },
  };
}

function createCompanyTurns<T>() {
  /** The companies with items, in the order of their turns. */
  let lines: { companyCode: string; tickets: TicketTurns<T> }[] = [];
  let turn = 0;
  return {
    ticketsOf(companyCode: string): TicketTurns<T> {
      let line = lines.find((known) => known.companyCode === companyCode);
      if (!line) {
        line = { companyCode, tickets: createTicketTurns() };
        // Last of the round, so that a company gains nothing by running out of items again and again.
        lines.splice(turn, 0, line);
        turn += 1;
      }
      return line.tickets;
    },
    shift(): T | undefined {
      if (turn >= lines.length) turn = 0;
      const line = lines[turn];
      const item = line?.tickets.shift();
      if (line?.tickets.size === 0) lines.splice(turn, 1);
      else turn += 1;
      return item;
    },
    remove(chosen: (item: T) => boolean): T[] {
      const removed = lines.flatMap(({ tickets }) => tickets.remove(chosen));
      turn -= lines.slice(0, turn).filter(({ tickets }) => tickets.size === 0).length;
      lines = lines.filter(({ tickets }) => tickets.size > 0);
      return removed;
    },
    get size() {
      return lines.reduce((sum, { tickets }) => sum + tickets.size, 0);
    },
  };
}
