import type pg from 'pg';
import { statements } from '#server/db/statement.ts';
import { createPublishedState } from './published-state.ts';
import { createStoredTickets, type StoredTickets } from './stored-tickets.ts';

/** The result of a statement: its rows, or the number of changed rows. */
export type Answer = Record<string, unknown>[] | number;
/** Returns the result of a statement, whose values it gets by name; undefined for an unknown one. */
export type Answers = (text: string, values: never) => Answer | undefined;

/** A fake PostgreSQL for simulations. It knows only the engine's statements, and counts them. */
export type CountedDatabase = {
  pool: pg.Pool;
  tickets: StoredTickets;
  /** Pauses or resumes every source. */
  setPaused(isPaused: boolean): void;
  /** Refuses single statements, and lets transactions wait, until the returned function is called. */
  goAway(): () => void;
  /** The number of statements so far; `locked`: those under the allocation lock. */
  readonly counts: { all: number; locked: number };
};

/**
 * @param markingMs how long the statement takes that marks waiting tickets
 * @param notify called with every notice and its channel
 */
export function createCountedDatabase(
  { sources, proxies, markingMs }: { sources: string[]; proxies: number; markingMs: number },
  notify: (channel: string) => void,
): CountedDatabase {
  const counts = { all: 0, locked: 0 };
  const published = createPublishedState(sources, proxies);
  const tickets = createStoredTickets(published.isGone);
  const answers: Answers[] = [tickets.answer, published.answer];
  const lock = createLock();
  let away: Promise<void> | undefined;

  const connect = () => {
    let unlock: (() => void) | undefined;
    const query = async (given: string | { text: string; values?: never[] }) => {
      const { text, values = [] } = typeof given === 'string' ? { text: given } : given;
      counts.all += 1;
      await away;
      if (text.includes('pg_advisory_xact_lock')) unlock = await lock();
      if (unlock) counts.locked += 1;
      if (text === 'COMMIT' || text === 'ROLLBACK') unlock?.();
      if (/^(BEGIN|COMMIT|ROLLBACK)$|pg_advisory_xact_lock/.test(text)) return { rows: [], rowCount: 0 };
      if (text.includes('pg_notify')) {
        notify(String(byName(text, values).channel));
        return { rows: [], rowCount: 1 };
      }
      if (text.includes('WITH RECURSIVE configured')) {
        await new Promise((resolve) => setTimeout(resolve, markingMs));
        return { rows: [], rowCount: 0 };
      }
      for (const answer of answers) {
        const found = answer(text, byName(text, values) as never);
        if (typeof found === 'number') return { rows: [], rowCount: found };
        if (found) return { rows: found, rowCount: found.length };
      }
      throw new Error(`the simulation does not know this statement: ${text}`);
    };
    return { query, release: () => undefined, on: () => undefined, off: () => undefined };
  };

  const query = async (given: { text: string; values?: never[] }) => {
    if (away) throw new Error('the database is away');
    return connect().query(given);
  };

  return {
    counts,
    tickets,
    setPaused: published.setPaused,
    goAway() {
      const { promise, resolve } = Promise.withResolvers<void>();
      away = promise;
      return () => {
        away = undefined;
        resolve();
      };
    },
    pool: { query, connect: async () => connect() } as unknown as pg.Pool,
  };
}

/** The names of each statement's parameters, in the order of its values. */
const namesOf = new Map<string, string[]>();

function byName(text: string, values: unknown[]): Record<string, unknown> {
  const declared = () => Object.keys(statements.find((statement) => statement.text === text)?.params ?? {});
  const names = namesOf.get(text) ?? declared();
  namesOf.set(text, names);
  return Object.fromEntries(names.map((name, n) => [name, values[n]]));
}

/** Returns a function that takes the lock, first come, first served, and resolves with a function that releases it. */
function createLock(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    return resolve;
  };
}
