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
import { countDevices, listDeviceKeys, type ScopedDeviceQuery } from './devices.queries.ts';
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
async function inRegisterInTurn<T>(db: Db, caller: Caller, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const giveBack = await turns.take(neverAborts);
  return inRegister(db, caller, work).finally(giveBack);
}

type FilteredChange = {
  /** The filter as the caller wrote it, and the query that was read from it. */
  filter: string;
  scopedQuery: ScopedDeviceQuery;
  /** The number of devices that the caller expects. */
  count: number;
  /** Devices per transaction. */
  atOnce: number;
  entry: Pick<RecordedAction, 'action' | 'companyCode'>;
  /** Values of the entry beside the filter and the count. */
  more?: Record<string, string>;
  /** Changes a slice of devices. @returns the number of changed devices */
  change: (tx: Queryable, slice: { id: number; serial: string }[]) => Promise<number>;
  /** Returns the error for a filter that matches another number of devices. */
  otherCount: (matching: number) => AppError;
  /** Returns the error that tells how many of the devices were changed. */
  partlyChanged: (changed: number, count: number) => AppError;
};

/**
 * Changes the devices that pass a filter in slices, each in a transaction. The first one has the entry of all. If a later one
 * fails, a second entry has the number of devices that were changed; not if the process is killed.
 * @param context `reads`: the connections for finding the devices, which examines all of the company
 * @throws AppError `otherCount`; `partlyChanged` if the database fails after the first slice
 */
export async function changeFiltered(
  { db, reads, log }: Pick<Context, 'db' | 'log'> & { reads: Db },
  caller: Caller,
  { filter, scopedQuery, count, atOnce, entry, more, change, otherCount, partlyChanged }: FilteredChange,
): Promise<void> {
  const matchCount = await countDevices(reads, scopedQuery);
  if (matchCount !== count) throw otherCount(matchCount);
  const slices = listDeviceKeys(reads, scopedQuery, atOnce);
  const { value: first = [] } = await slices.next();
  const recorded = { ...entry, ...describeFilter(filter, count, more) };
  await inRegisterInTurn(db, caller, async (tx) => {
    const missingCount = Math.min(count, atOnce) - (await change(tx, first));
    // Devices were added, or deleted by another call, since they were counted.
    if (missingCount !== 0) throw otherCount(count - missingCount);
    await record(tx, recorded);
  });
  let changed = first.length;
  try {
    for await (const slice of slices)
      changed += await inRegisterInTurn(db, caller, (tx) => change(tx, slice));
  } catch (error) {
    log.warn({ err: error, changed }, 'only some of the devices of a filter were changed');
    const after = { ...recorded.after, carried_out: changed };
    await record(db, { ...recorded, after }).catch((err: unknown) =>
      log.warn({ err }, 'the number of changed devices could not be recorded'),
    );
    if (!(error instanceof Error) || !isTransientFailure(error)) throw error;
    throw partlyChanged(changed, count);
  }
}

/** Names devices by their filter, for the audit log. One that is too long for a name is a value of the entry. */
function describeFilter(filter: string, count: number, more?: Record<string, string>) {
  if (filter.length > maxObjectIdLength) return { after: { count, query: filter, ...more } };
  return { objectId: filter || 'all', after: { count, ...more } };
}
