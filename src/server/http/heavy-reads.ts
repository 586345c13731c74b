import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SlotUser } from '#server/concurrency/fair-slots.ts';
import { SharedSlots } from '#server/concurrency/shared-slots.ts';
import { openPool } from '#server/db/connection/open-pool.ts';
import type { Db } from '#server/db/db.ts';
import { abortOnClose } from '#server/runtime/abort-on-close.ts';
import type { Context } from '#server/runtime/context.ts';

declare module 'fastify' {
  interface FastifyInstance {
    heavyReads: HeavyReads;
  }
}

const concurrency = 4; // two per company, one per user
const connections = 8; // a read takes up to three, so one company leaves two for others
const maxWaitMs = 10_000; // longer than a user waits who types, counts and sorts

/**
 * The slots and connections of reads that may keep a core of the database busy for seconds. They are separate, so that
 * cheap calls neither wait for a connection nor compete with hundreds of searches.
 */
export type HeavyReads = { db: Db; slots: SharedSlots };

/** Opens the connections of heavy reads. `route` passes them to endpoints that are declared heavy. */
export function registerHeavyReads(app: FastifyInstance, context: Context): void {
  const db = openPool(context, connections);
  app.decorate('heavyReads', { db, slots: new SharedSlots('heavy reads', { concurrency, maxWaitMs }) });
  app.addHook('onClose', () => db.end());
}

/**
 * Runs a heavy read when a slot is free.
 * @returns the hijacked reply if the caller disconnects before
 * @throws AppError 429 if no slot is free in time
 */
export async function runHeavyRead<T>(
  { db, slots }: HeavyReads,
  caller: SlotUser,
  reply: FastifyReply,
  read: () => Promise<T>,
): Promise<T | FastifyReply> {
  const gone = abortOnClose(reply);
  const giveBack = await slots.take(db, caller, gone).catch((error: Error) => {
    if (!gone.aborted) throw error;
  });
  if (!giveBack) return reply.hijack();
  return read().finally(giveBack);
}
