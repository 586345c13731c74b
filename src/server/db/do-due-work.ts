import type { Log } from '#server/runtime/log.ts';
import { type Db, inTransaction, type Queryable } from './db.ts';
import { deletePutOff, putOff, type WorkKind } from './due-work.queries.ts';

/** One kind of work, due for several subjects such as companies. */
export type DueWork<T> = {
  kind: WorkKind;
  /** Locks the next subject whose work is due and `isNotPutOff`, unless another process has locked it. */
  lockNext: (tx: Queryable) => Promise<T | undefined>;
  subjectOf: (next: T) => string;
  /** Does the work of a locked subject, after which it is not due. */
  work: (tx: Queryable, next: T) => Promise<void>;
  /** Leaves the remaining work for later when it aborts. */
  signal?: AbortSignal | undefined;
};

/**
 * Does all due work of a kind, in a transaction for each subject. Work that fails is put off, for longer each time, so that
 * no subject stops another.
 * @throws the failure of a transaction that found no subject, or of putting work off
 */
export async function doDueWork<T>(
  { db, log }: { db: Db; log: Log },
  { kind, lockNext, subjectOf, work, signal }: DueWork<T>,
): Promise<void> {
  while (!signal?.aborted) {
    let subject: string | undefined;
    try {
      const wasFound = await inTransaction(db, async (tx) => {
        const next = await lockNext(tx);
        if (next === undefined) return false;
        subject = subjectOf(next);
        await work(tx, next);
        await deletePutOff.run(tx, { kind, subject });
        return true;
      });
      if (!wasFound) return;
    } catch (err) {
      if (subject === undefined) throw err;
      const { attempts } = await putOff.one(db, { kind, subject });
      log.error({ err, kind, subject, attempts }, 'due work failed and will be tried again');
    }
  }
}
