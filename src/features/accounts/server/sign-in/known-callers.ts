import type { FastifyInstance } from 'fastify';
import type { Db } from '#server/db/db.ts';
import { type FoundCaller, findCaller } from '../accounts.queries.ts';

/** However a change of a user stays unheard, what is known here is asked for again after so long. */
const freshMs = 900;
/** More users than call within that time. */
const mostKnown = 10_000;

type Found = FoundCaller | undefined;
type Known = { found: Promise<Found>; until: number };

/**
 * The users who call, as the database knew them within the last second. One that changes is forgotten at once in the
 * process that changes it, and as soon as the notice arrives in all others.
 */
export class KnownCallers {
  readonly #known = new Map<number, Known>();
  readonly #db: Db;

  constructor(db: Db, notices: FastifyInstance['notices']) {
    this.#db = db;
    notices.hear('changed_users', (id) => this.forget(Number(id)));
    notices.onGap(() => this.#known.clear());
  }

  /** The user behind an id; undefined when there is none. */
  find(id: number): Promise<Found> {
    const now = performance.now();
    const known = this.#known.get(id);
    if (known && now < known.until) return known.found;
    if (this.#known.size >= mostKnown) this.#known.clear();
    const fresh = { found: findCaller(this.#db, id), until: now + freshMs };
    this.#known.set(id, fresh);
    fresh.found.catch(() => {
      if (this.#known.get(id) === fresh) this.#known.delete(id);
    });
    return fresh.found;
  }

  /** Has a user read anew; whoever changes one says so before the change is answered. */
  forget(id: number): void {
    this.#known.delete(id);
  }
}
