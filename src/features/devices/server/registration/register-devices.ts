import { Loop } from '#server/concurrency/loop.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import {
  hasUnregistered,
  listUnregistered,
  lockRegistration,
  registerResults,
  tryLockRegistration,
} from './registration.queries.ts';

/** Notes per transaction. A note has the results of one flush of a worker, so this is about 0.1 s of work. */
const notesAtOnce = 10;
/** The register is at most this much behind the results while nothing else delays it. */
const pauseMs = 2000;

async function registerOldest(tx: Queryable): Promise<boolean> {
  const notes = await listUnregistered(tx, notesAtOnce);
  for (const id of notes) await registerResults(tx, id);
  return notes.length === notesAtOnce;
}

/**
 * Registers the oldest noted results, unless another process is doing so.
 * @returns whether more are left
 */
export async function registerSome(db: Db): Promise<boolean> {
  // One statement while there is nothing to do.
  if ((await listUnregistered(db, 1)).length === 0) return false;
  return inTransaction(db, async (tx) => (await tryLockRegistration(tx)) && registerOldest(tx));
}

/** Registers all noted results of a ticket, and the older ones of others. Call it before the results are deleted. */
export async function registerTicket(db: Db, ticketId: number): Promise<void> {
  while (await hasUnregistered(db, ticketId)) {
    await inTransaction(db, async (tx) => {
      await lockRegistration(tx);
      await registerOldest(tx);
    });
  }
}

/** Registers results continuously until it is stopped. One process at a time does. */
export function startRegistration(db: Db, log: Log): Loop {
  const loop = new Loop(() => registerSome(db), {
    pauseMs: () => pauseMs,
    onFailure: (err) => log.warn({ err }, 'results could not be registered yet and will be tried again'),
  });
  loop.start();
  return loop;
}
