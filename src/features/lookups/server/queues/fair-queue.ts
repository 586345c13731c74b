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
  /** The companies with items, in the order of their turns. A new one is last, so that it gains nothing by running out of items. */
  const companies = new Map<string, TicketTurns<T>>();
  return {
    ticketsOf(companyCode: string): TicketTurns<T> {
      const tickets = companies.get(companyCode) ?? createTicketTurns();
      companies.set(companyCode, tickets);
      return tickets;
    },
    shift(): T | undefined {
      const [first] = companies;
      if (!first) return undefined;
      const [companyCode, tickets] = first;
      const item = tickets.shift();
      companies.delete(companyCode);
      if (tickets.size > 0) companies.set(companyCode, tickets);
      return item;
    },
    remove(chosen: (item: T) => boolean): T[] {
      const removed: T[] = [];
      for (const [companyCode, tickets] of companies) {
        removed.push(...tickets.remove(chosen));
        if (tickets.size === 0) companies.delete(companyCode);
      }
      return removed;
    },
    get size() {
      let size = 0;
      for (const tickets of companies.values()) size += tickets.size;
      return size;
    },
  };
}
