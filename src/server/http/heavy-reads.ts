import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SlotUser } from '#server/concurrency/fair-slots.ts';
import { SharedSlots } from '#server/concurrency/shared-slots.ts';
import type { Db } from '#server/db/db.ts';
import type { ReadRouter } from '#server/db/replica/read-router.ts';
import { abortOnClose } from '#server/runtime/abort-on-close.ts';
import type { Context } from '#server/runtime/context.ts';

declare module 'fastify' {
  interface FastifyInstance {
    heavyReads: HeavyReads;
  }
}

const concurrency = 4; // two per company, one per user
const maxWaitMs = 10_000; // longer than a user waits who types, counts and sorts

/**
 * The slots and servers of reads that may keep a core of the database busy for seconds. They are separate, so that
 * cheap calls neither wait for a connection nor compete with hundreds of searches. Heavy writes find many rows on the same
 * servers, but have slots of their own, because one of them may take minutes.
 */
export type HeavyReads = { router: ReadRouter; slots: SharedSlots; writeSlots: SharedSlots };

/** Makes the slots of heavy calls, for which `route` runs the handlers of endpoints that are declared heavy. */
export function registerHeavyReads(app: FastifyInstance, { readRouter: router }: Context): void {
  const slotsOf = (kind: string) => new SharedSlots(kind, { concurrency, maxWaitMs });
  app.decorate('heavyReads', { router, slots: slotsOf('heavy reads'), writeSlots: slotsOf('heavy writes') });
}

/**
 * Runs a heavy call when a slot is free.
 * @param isWrite whether it takes a slot of heavy writes
 * @param readOnly whether it may run on the replica
 * @returns the hijacked reply if the caller disconnects before
 * @throws AppError 429 if no slot is free in time
 */
export async function runHeavyCall<T>(
  { router, slots, writeSlots }: HeavyReads,
  { caller, isWrite, readOnly }: { caller: SlotUser; isWrite: boolean; readOnly: boolean },
  reply: FastifyReply,
  answer: (db: Db) => Promise<T>,
): Promise<T | FastifyReply> {
  const signal = abortOnClose(reply);
  const giveBack = await (isWrite ? writeSlots : slots)
    .take(router.primary.db, caller, signal)
    .catch((error: Error) => {
      if (!signal.aborted) throw error;
    });
  if (!giveBack) return reply.hijack();
  const answered = readOnly ? router.run(({ db }) => answer(db)) : answer(router.primary.db);
  return answered.finally(giveBack);
}
