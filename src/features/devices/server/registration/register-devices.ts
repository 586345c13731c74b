import { noteDeviceChanges } from '#features/webhooks/server/events/device-changes.service.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import { storeImportedFields } from '../fields/field-values.service.ts';
import { lockRegister } from '../forgetting/forgetting.queries.ts';
import {
  listUnregistered,
  listUnregisteredIn,
  listUnregisteredOf,
  lockRegistration,
  postponeNote,
  registerResults,
  tryLockRegistration,
} from './registration.queries.ts';

/** Notes per round. A note has the results of one flush of a worker. */
const notesAtOnce = 10;
/** The register is at most this much behind the results while nothing else delays it. */
const pauseMs = 2000;
/** While rows are looked up, registration rests this many times as long as it worked, so that lookups lose little. */
const restFactor = 2;

/**
 * Stores the oldest values of sheets of each company, and registers the oldest noted results.
 * @returns whether more are left
 */
export async function registerSome(db: Db): Promise<boolean> {
  let isMoreLeft = false;
  try {
    isMoreLeft = await storeImportedFields(db, notesAtOnce, null);
  } finally {
    // Values that cannot be stored hold up no results.
    isMoreLeft = (await registerOldest(db)) || isMoreLeft;
  }
  return isMoreLeft;
}

/**
 * Registers the oldest noted results, unless another process is doing so. A note that the database refuses moves behind all
 * others, so that it holds up none.
 * @returns whether more are left
 */
async function registerOldest(db: Db): Promise<boolean> {
  const notes = (await listUnregistered.all(db, { limit: notesAtOnce })).map(({ id }) => id);
  for (const id of notes) {
    try {
      const isMine = await inTransaction(db, async (tx) => {
        const { locked } = await tryLockRegistration.one(tx);
        if (locked) await registerNote(tx, id);
        return locked;
      });
      if (!isMine) return false;
    } catch (error) {
      await postponeNote.run(db, { noteId: id });
      throw error;
    }
  }
  return notes.length === notesAtOnce;
}

/** Registers all noted results of a ticket. Call it before the results are deleted. */
export async function registerTicket(db: Db, ticketId: number): Promise<void> {
  for (;;) {
    const notes = (await listUnregisteredOf.all(db, { ticketId, most: notesAtOnce })).map(({ id }) => id);
    if (notes.length === 0) return;
    await inTransaction(db, async (tx) => {
      await lockRegistration.run(tx);
      for (const id of notes) await registerNote(tx, id);
    });
  }
}

/** Registers the results of a company that are noted by now. */
export async function registerCompany(db: Db, companyCode: string): Promise<void> {
  const notes = (await listUnregisteredIn.all(db, { companyCode })).map(({ id }) => id);
  for (let from = 0; from < notes.length; from += notesAtOnce) {
    await inTransaction(db, async (tx) => {
      await lockRegistration.run(tx);
      for (const id of notes.slice(from, from + notesAtOnce)) await registerNote(tx, id);
    });
  }
}

/** Registers the results of a note under the lock, and notes changed devices for webhooks. */
async function registerNote(tx: Queryable, id: number): Promise<void> {
  await lockRegister.run(tx);
  await noteDeviceChanges(tx, await registerResults.all(tx, { noteId: id }));
}

/**
 * Registers results as they come, until it is stopped. Of several processes, one at a time does.
 * @param isBusy whether this process is looking rows up, which goes first
 */
export function startRegistration(db: Db, log: Log, isBusy: () => boolean): Loop {
  let nextMs = pauseMs;
  const registerRound = async () => {
    nextMs = pauseMs;
    const startedAt = performance.now();
    const isMoreLeft = await registerSome(db);
    if (isMoreLeft) nextMs = isBusy() ? restFactor * (performance.now() - startedAt) : 0;
  };
  const loop = new Loop(registerRound, {
    pauseMs: () => nextMs,
    onFailure: (err) => log.warn({ err }, 'results could not be registered yet and will be tried again'),
  });
  loop.start();
  return loop;
}
