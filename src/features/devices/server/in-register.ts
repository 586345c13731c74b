import { maxObjectIdLength } from '#features/audit/object-id.shared.ts';
import { type RecordedAction, record } from '#features/audit/server/audit.service.ts';
import { neverAborts } from '#server/concurrency/never-aborts.ts';
import { Semaphore } from '#server/concurrency/semaphore.ts';
import { isTransientFailure } from '#server/db/connection/connection.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import type { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { lockRegister } from './forgetting/forgetting.queries.ts';

/** Callers that change many devices take turns after each transaction, so that other work finds the database free. */
const turns = new Semaphore(1);

/** Runs a transaction that changes or deletes devices. @param caller null for the product itself */
export function inRegister<T>(
  db: Db,
  caller: Caller | null,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return changeAs(db, caller, async (tx) => {
    await lockRegister.run(tx);
    return work(tx);
  });
}

/** Runs a transaction that changes many devices, when no other one of this process does. */
export async function inRegisterInTurn<T>(
  db: Db,
  caller: Caller,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const giveBack = await turns.take(neverAborts);
  return inRegister(db, caller, work).finally(giveBack);
}

type Rest<Slice> = {
  slices: AsyncIterable<Slice>;
  /** Changes a slice. @returns the number of changed devices */
  change: (tx: Queryable, slice: Slice) => Promise<number>;
  /** The number of devices that were changed with the first slice. */
  changedBefore: number;
  /** The entry of the audit log that the first slice has. */
  entry: RecordedAction;
  /** Returns the error that tells how many devices were changed. */
  partialError: (changedBefore: number) => AppError;
};

/**
 * Changes the slices behind the first, each in a transaction. If one fails, a second entry of the audit log has the number of
 * devices that were changed.
 * @throws AppError `partialError` if the database fails
 */
export async function changeRest<Slice>(
  { db, log }: Pick<Context, 'db' | 'log'>,
  caller: Caller,
  { slices, change, changedBefore, entry, partialError }: Rest<Slice>,
): Promise<void> {
  let changed = changedBefore;
  try {
    for await (const slice of slices)
      changed += await inRegisterInTurn(db, caller, (tx) => change(tx, slice));
  } catch (error) {
    log.warn({ err: error, changed }, 'only some of the devices of a filter were changed');
    await record(db, { ...entry, after: { ...entry.after, carried_out: changed } }).catch((err: unknown) =>
      log.warn({ err }, 'the number of changed devices could not be recorded'),
    );
    if (!(error instanceof Error) || !isTransientFailure(error)) throw error;
    throw partialError(changed);
  }
}

/** Names devices by their filter, for the audit log. One that is too long for a name is a value of the entry. */
export function describeFilter(filter: string, count: number, more: Record<string, string>) {
  if (filter.length > maxObjectIdLength) return { after: { count, query: filter, ...more } };
  return { objectId: filter || 'all', after: { count, ...more } };
}
