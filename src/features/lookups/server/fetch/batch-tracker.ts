import type { Wakeup } from '#server/concurrency/wakeup.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import { isOpen, isShutOut, type SourceQueue } from '../queues/source-queue.ts';
import type { Batch, LookupRow } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import { noSourceLeft, type RowResult } from '../rows/row-result.ts';
import type { ResultWriter } from '../write/result-writer.ts';
import { createDueTimer } from './due-timer.ts';
import { atOnce, followUpOf, isDueSoon } from './follow-up.ts';
import { pickProbeRow } from './pick-probe-row.ts';

/**
 * The batches that this worker holds. Each of their rows is
 *
 * - active: in a source's queue, or being asked about
 * - delayed: waiting for a time
 * - parked: waiting until this worker may ask its source again; others may before
 * - unreserved: waiting for an answer that is on its way (to another row of the same serial, or of this row and not
 *   written yet), to be looked at again with the next job
 * - finished: it has a result, which the writer writes
 *
 * A batch without an active row ends: what is left of it goes back to the queue as a job.
 */
export type BatchTracker = {
  /** Takes in a batch. Its rows go to their source's queue, wait, or finish. */
  add(batch: Batch, rows: LookupRow[]): void;
  /** The queue of the source that a row is asked at next; undefined when no source is left for it. */
  nextQueue(row: LookupRow, lookupState: LookupState): SourceQueue | undefined;
  /** An active row has its result. */
  finish(row: LookupRow, result: RowResult): void;
  /** An active row goes on with another lookup state: at once, or later. */
  proceed(row: LookupRow, lookupState: LookupState): void;
  /** An active row was not asked about; it waits if its source may not be asked. */
  putBack(row: LookupRow): void;
  /** Takes a row that is parked for a source, for its probe; the row is active from then on. */
  takeParked(sourceQueue: SourceQueue): LookupRow | undefined;
  /**
   * Parks the rows of sources that are blocked or of whose limits other workers have all, and lets those go on whose source
   * may be asked again.
   */
  followSources(): void;
  /** Forgets batches whose ticket was cancelled or deleted, or whose job another worker holds. */
  drop(isLost: (batch: Batch) => boolean): void;
  /** Starts nothing new; batches without a row that is being asked about go back to the queue. */
  drain(): void;
  /** Gives every batch back to the queue, also those with rows that are being asked about. */
  giveBack(): void;
  /** Whether rows may have come into the sources' queues since this was last called. */
  takeArrival(): boolean;
  readonly batches: ReadonlySet<Batch>;
  /** The batches whose jobs this worker holds: also those that ended and are not written yet. */
  readonly held: ReadonlySet<Batch>;
  /** Rows in the sources' queues. */
  readonly ready: number;
};

/** @param wakeup given when rows have come into the sources' queues */
export function createBatchTracker(
  sourceQueues: SourceQueue[],
  writer: ResultWriter,
  wakeup: Wakeup,
): BatchTracker {
  const batches = new Set<Batch>();
  let draining = false;
  let hasArrival = false;
  const announceArrival = () => {
    hasArrival = true;
    wakeup.wake();
  };

  const nextQueue = ({ kind }: LookupRow, { answered }: LookupState) =>
    sourceQueues.find(({ entry }) => entry.accepts.includes(kind) && !answered.includes(entry.name));

  /** Puts an active row where its lookup state says. */
  const place = (row: LookupRow) => {
    const { batch, lookupState } = row;
    if (batch.ended) return;
    const sourceQueue = nextQueue(row, lookupState);
    if (!sourceQueue) {
      finish(row, noSourceLeft(row));
    } else if (row.cached && sourceQueue.entry.remote) {
      // Not earlier: a registry that is asked first may know better.
      finish(row, row.cached);
    } else if (!row.reserved && sourceQueue.entry.remote) {
      batch.active -= 1;
      batch.unreserved += 1;
    } else if (lookupState.due !== null && lookupState.due > steadyNow()) {
      batch.active -= 1;
      batch.delayed.add(row);
      dueTimer.set(lookupState.due);
    } else if (sourceQueue.blockedBy !== null || draining) {
      park(row, sourceQueue);
    } else {
      sourceQueue.rows.push(batch.ticketId, row);
    }
  };
  const park = (row: LookupRow, sourceQueue: SourceQueue) => {
    row.batch.active -= 1;
    row.batch.parked.set(row, sourceQueue.entry.name);
    if (row.lookupState.refusedAt === null) sourceQueue.hasNewcomers = true;
  };
  const unpark = (row: LookupRow) => {
    row.batch.parked.delete(row);
    row.batch.active += 1;
  };

  const finish = (row: LookupRow, result: RowResult) => {
    row.batch.active -= 1;
    writer.addResult(row.batch, result);
    endIfIdle(row.batch);
  };

  const endIfIdle = (batch: Batch) => {
    if (batch.ended || batch.active > 0) return;
    const followUp = followUpOf(batch, draining);
    if (followUp && isDueSoon(batch, followUp) && !draining) return;
    batch.ended = true;
    batches.delete(batch);
    writer.endBatch(batch, followUp);
  };

  /** Lets delayed rows go on that are due. */
  const dueTimer = createDueTimer((now) => {
    for (const batch of batches) {
      for (const row of batch.delayed) {
        const due = row.lookupState.due ?? 0;
        if (due > now) {
          dueTimer.set(due);
          continue;
        }
        batch.delayed.delete(row);
        batch.active += 1;
        place(row);
      }
      endIfIdle(batch);
    }
    announceArrival();
  });

  return {
    add(batch, rows) {
      batches.add(batch);
      batch.active += rows.length;
      for (const row of rows) place(row);
      endIfIdle(batch);
      announceArrival();
    },
    nextQueue,
    finish,
    proceed(row, lookupState) {
      row.lookupState = lookupState;
      writer.addLookupState(row);
      place(row);
      endIfIdle(row.batch);
    },
    putBack(row) {
      place(row);
      endIfIdle(row.batch);
    },
    takeParked({ entry }) {
      if (draining) return undefined;
      const parked = [...batches].flatMap((batch) => [...batch.parked]);
      const row = pickProbeRow(parked.flatMap(([waiting, name]) => (name === entry.name ? [waiting] : [])));
      if (row) unpark(row);
      return row;
    },
    followSources() {
      // While this worker may ask no remote source, those who may have the rows of our own lists, too.
      const shutOut = isShutOut(sourceQueues);
      const mayAsk = new Set<string>();
      for (const sourceQueue of sourceQueues) {
        if (sourceQueue.blockedBy === null && !shutOut && isOpen(sourceQueue))
          mayAsk.add(sourceQueue.entry.name);
      }
      for (const batch of batches) {
        // A copy: a row that has to wait after all is put at the end of the same map.
        for (const [row, name] of [...batch.parked]) {
          if (!mayAsk.has(name)) continue;
          unpark(row);
          place(row);
          announceArrival();
        }
      }
      for (const sourceQueue of sourceQueues) {
        if (mayAsk.has(sourceQueue.entry.name)) continue;
        for (const row of sourceQueue.rows.remove(() => true)) {
          park(row, sourceQueue);
          endIfIdle(row.batch);
        }
      }
    },
    drop(isLost) {
      const lost = new Set([...batches].filter(isLost));
      if (lost.size === 0) return;
      for (const batch of lost) {
        batch.ended = true;
        batches.delete(batch);
      }
      for (const { rows } of sourceQueues) rows.remove(({ batch }) => lost.has(batch));
    },
    drain() {
      draining = true;
      for (const { rows } of sourceQueues) {
        for (const row of rows.remove(() => true)) place(row);
      }
      for (const batch of batches) endIfIdle(batch);
    },
    giveBack() {
      for (const batch of batches) {
        batch.active = 0;
        batch.ended = true;
        writer.endBatch(batch, atOnce());
      }
      batches.clear();
      dueTimer.stop();
    },
    takeArrival() {
      const taken = hasArrival;
      hasArrival = false;
      return taken;
    },
    batches,
    get held() {
      return batches.union(writer.batches);
    },
    get ready() {
      return sourceQueues.reduce((sum, { rows }) => sum + rows.size, 0);
    },
  };
}
