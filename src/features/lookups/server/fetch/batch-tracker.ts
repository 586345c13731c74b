import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { Batch, LookupRow } from '../rows/batch.ts';
import { endBlockSpan, startBlockSpan } from '../rows/block-spans.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import { noSourceLeft, type RowResult } from '../rows/row-result.ts';
import type { ResultWriter } from '../write/result-writer.ts';
import { createDueTimer } from './due-timer.ts';
import { followUpOf, immediately, mayKeepBatch } from './follow-up.ts';
import { pickProbeRow } from './pick-probe-row.ts';

/**
 * Tracks the rows of the batches that this worker holds. Each row is
 *
 * - active: queued at a source, or in a call
 * - delayed: waiting until a time
 * - parked: waiting until this worker may ask its source again; other workers may be able to earlier
 * - unreserved: waiting for an outcome of another row with the same serial, or for its own unwritten result; it
 *   is loaded again with the next job
 * - finished: its result is with the writer
 *
 * A batch without active rows ends. If rows are unfinished, its job is given back.
 */
export type BatchTracker = {
  /** Adds a batch. Its rows are queued at their source, wait, or finish. */
  add(batch: Batch, rows: LookupRow[]): void;
  /** Returns the queue of the source to ask next about a row; undefined if no source is left. */
  nextQueue(row: LookupRow, lookupState: LookupState): SourceQueue | undefined;
  finish(row: LookupRow, result: RowResult): void;
  /** Continues an active row with a new lookup state, now or when it is due. */
  proceed(row: LookupRow, lookupState: LookupState): void;
  /** Queues an active row again that was not asked about, in front of its ticket's others, or parks it if its source is shut. */
  putBack(row: LookupRow): void;
  /** Takes a row that is parked for a source and makes it active, for a probe. */
  takeParked(sourceQueue: SourceQueue): LookupRow | undefined;
  /**
   * Parks the rows of sources whose gate is shut, and queues the rows whose source may be asked again.
   */
  followSources(): void;
  /** Removes batches whose ticket was cancelled or deleted, or whose job another worker holds. */
  drop(isLost: (batch: Batch) => boolean): void;
  /** Stops queueing rows, and ends the batches that have no call in flight. */
  drain(): void;
  /** Ends every batch, also those with calls in flight. */
  giveBack(): void;
  /** Returns whether rows may have been queued since the last call. */
  takeArrival(): boolean;
  readonly batches: ReadonlySet<Batch>;
  /** The batches whose jobs this worker holds, including ended ones that are not written yet. */
  readonly held: ReadonlySet<Batch>;
};

/**
 * @param disabled configured sources that are not enabled: rows wait for one that alone accepts their kind
 * @param wakeup triggered when rows were queued
 */
export function createBatchTracker(
  sourceQueues: SourceQueue[],
  disabled: Pick<ConfiguredSource, 'name' | 'accepts'>[],
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

  /** Returns the disabled source that a row waits for, because no enabled one accepts its kind. */
  const findDisabled = ({ kind, lookupState: { answered } }: LookupRow) =>
    sourceQueues.some(({ entry }) => entry.accepts.includes(kind))
      ? undefined
      : disabled.find(({ name, accepts }) => accepts.includes(kind) && !answered.includes(name));

  /** Moves an active row to the state that follows from its lookup state. */
  const route = (row: LookupRow, isFirst = false) => {
    const { batch, lookupState } = row;
    if (batch.ended) return;
    const sourceQueue = nextQueue(row, lookupState);
    if (!sourceQueue) {
      const awaited = findDisabled(row);
      if (awaited) park(row, awaited.name);
      else finish(row, noSourceLeft(row));
    } else if (row.cached && sourceQueue.entry.remote) {
      // Only when it is a remote source's turn, because a registry before it takes precedence over the cache.
      finish(row, row.cached);
    } else if (!row.reserved && sourceQueue.entry.remote) {
      batch.active -= 1;
      batch.unreserved += 1;
    } else if (lookupState.due !== null && lookupState.due > steadyNow()) {
      batch.active -= 1;
      batch.delayed.add(row);
      dueTimer.set(lookupState.due);
    } else if (sourceQueue.gate.shut !== null || draining) {
      park(row, sourceQueue.entry.name);
    } else if (isFirst) {
      sourceQueue.rows.unshift(batch, row);
    } else {
      sourceQueue.rows.push(batch, row);
    }
  };
  const park = (row: LookupRow, source: string) => {
    row.batch.active -= 1;
    row.batch.parked.set(row, source);
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
    if (followUp && mayKeepBatch(batch, followUp) && !draining) return;
    batch.ended = true;
    batches.delete(batch);
    endBlockSpan(batch);
    writer.endBatch(batch, followUp);
  };

  /** Continues the delayed rows that are due. */
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
        route(row);
      }
      endIfIdle(batch);
    }
    announceArrival();
  });

  return {
    add(batch, rows) {
      batches.add(batch);
      startBlockSpan(batch, rows.length);
      batch.active += rows.length;
      for (const row of rows) route(row);
      endIfIdle(batch);
      announceArrival();
    },
    nextQueue,
    finish,
    proceed(row, lookupState) {
      row.lookupState = lookupState;
      writer.addLookupState(row);
      route(row);
      endIfIdle(row.batch);
    },
    putBack(row) {
      route(row, true);
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
      const shut = sourceQueues.filter(({ gate }) => gate.shut !== null);
      const mayAsk = new Set(
        sourceQueues.filter((known) => !shut.includes(known)).map(({ entry }) => entry.name),
      );
      for (const batch of batches) {
        // A copy, because a row that is parked again is added to the same map.
        for (const [row, name] of [...batch.parked]) {
          if (!mayAsk.has(name)) continue;
          unpark(row);
          route(row);
          announceArrival();
        }
      }
      for (const { entry, rows } of shut) {
        for (const row of rows.remove(() => true)) {
          park(row, entry.name);
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
        endBlockSpan(batch);
      }
      for (const { rows } of sourceQueues) rows.remove(({ batch }) => lost.has(batch));
    },
    drain() {
      draining = true;
      for (const { rows } of sourceQueues) {
        for (const row of rows.remove(() => true)) route(row);
      }
      for (const batch of batches) endIfIdle(batch);
    },
    giveBack() {
      for (const batch of batches) {
        batch.active = 0;
        batch.ended = true;
        endBlockSpan(batch);
        writer.endBatch(batch, immediately());
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
  };
}
