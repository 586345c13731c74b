export type TicketTurns<T> = ReturnType<typeof createTicketTurns<T>>;

/**
 * A queue of one company in which its tickets take turns, so that a short ticket does not wait behind a long one. A new ticket gets
 * every other turn until its first item is taken, so that it does not wait for a turn of each long one.
 */
export function createTicketTurns<T>() {
  /** One line of items per ticket, in the order of their turns; `fresh` until the first item of it is taken. */
  let lines: { ticketId: number; items: T[]; fresh: boolean }[] = [];
  let turn = 0;
  let fresh = 0;
  let size = 0;

  const lineOf = (ticketId: number) => {
    let line = lines.find((known) => known.ticketId === ticketId);
    if (!line) {
      line = { ticketId, items: [], fresh: true };
      if (turn >= lines.length) turn = 0;
      lines.splice(turn + 1 + 2 * fresh, 0, line);
      fresh += 1;
    }
    return line;
  };

  return {
    push(ticketId: number, item: T) {
      lineOf(ticketId).items.push(item);
      size += 1;
    },
    /** Returns the next item of the ticket whose turn it is. */
    shift(): T | undefined {
      if (turn >= lines.length) turn = 0;
      const line = lines[turn];
      if (!line) return undefined;
      const item = line.items.shift();
      size -= 1;
      if (line.fresh) fresh -= 1;
      line.fresh = false;
      if (line.items.length === 0) lines.splice(turn, 1);
      else turn += 1;
      return item;
    },
    remove(chosen: (item: T) => boolean) {
      const removed: T[] = [];
      for (const line of lines) {
        const kept: T[] = [];
        for (const item of line.items) (chosen(item) ? removed : kept).push(item);
        line.items = kept;
      }
      turn -= lines.slice(0, turn).filter(({ items }) => items.length === 0).length;
      lines = lines.filter(({ items }) => items.length > 0);
      fresh = lines.filter((line) => line.fresh).length;
      size -= removed.length;
      return removed;
    },
    get size() {
      return size;
    },
  };
}
