import type { FastifyInstance, FastifyReply } from 'fastify';
import { FairSlots, type SlotUser } from '#server/concurrency/fair-slots.ts';
import { openDb } from '#server/db/connection/open-db.ts';
import type { Db } from '#server/db/db.ts';
import { closingOf } from '#server/runtime/closing.ts';
import type { Context } from '#server/runtime/context.ts';

declare module 'fastify' {
  interface FastifyInstance {
    heavyReads: HeavyReads;
  }
}

/** One company holds two of them, one user one. */
const atOnce = 4;
/** A read runs up to three statements at once: what one company holds leaves connections to the others. */
const connections = 8;
/** How long a caller waits in line, in milliseconds: longer than people who type, count and sort ever need. */
const patienceMs = 10_000;

/**
 * Reads that may keep a core of the database busy for seconds: a few at once, on connections of their own, so that
 * cheap calls neither wait for a connection nor compete with hundreds of searches.
 */
export type HeavyReads = { db: Db; slots: FairSlots };

/** Opens the connections of heavy reads; `route` gives them to the calls that are declared heavy. */
export function registerHeavyReads(app: FastifyInstance, { databaseUrl, log }: Context): void {
  const db = openDb(databaseUrl, log, connections);
  app.decorate('heavyReads', { db, slots: new FairSlots({ atOnce, patienceMs }) });
  app.addHook('onClose', () => db.end());
}

/**
 * Runs a heavy read in its turn.
 * @returns the hijacked reply when the caller has gone before
 * @throws AppError 429 when its turn did not come in time
 */
export async function runHeavyRead<T>(
  { slots }: HeavyReads,
  caller: SlotUser,
  reply: FastifyReply,
  read: () => Promise<T>,
): Promise<T | FastifyReply> {
  const gone = closingOf(reply);
  const giveBack = await slots.take(caller, gone).catch((error: Error) => {
    if (!gone.aborted) throw error;
  });
  if (!giveBack) return reply.hijack();
  return read().finally(giveBack);
}
