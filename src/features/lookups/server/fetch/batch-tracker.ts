import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import type { FollowUp } from '../jobs/end-jobs.queries.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { Batch, LookupRow } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import { noSourceLeft, type RowResult } from '../rows/row-result.ts';
import { moveRow } from '../rows/row-states.ts';
import type { ResultWriter } from '../write/result-writer.ts';
import { followUpOf, immediately, mayKeepBatch } from './follow-up.ts';
import { pickProbeRow } from './pick-probe-row.ts';

export type BatchTracker = ReturnType<typeof createBatchTracker>;

/**
 * Moves the rows of the batches that this worker holds from state to state (`rows/row-states.ts`). A batch without active
 * rows ends. If rows are unfinished, its job is given back.
 * @param disabled configured sources that are not enabled: rows wait for one that alone accepts their kind
 * @param arrivals triggered when rows were queued
 */
export function createBatchTracker(
  sourceQueues: SourceQueue[],
  disabled: Pick<ConfiguredSource, 'name' | 'accepts'>[],
  writer: ResultWriter,
  arrivals: Wakeup,
) {
  /** The batches whose rows are looked up. Results of others that still arrive are written, too. */
  const batches = new Set<Batch>();
  let phase: 'running' | 'draining' = 'running';

  const nextQueue = ({ kind }: LookupRow, { answered }: LookupState) =>
    sourceQueues.find(({ entry }) => entry.accepts.includes(kind) && !answered.includes(entry.name));

  /** Returns the disabled source that a row waits for, because no enabled one accepts its kind. */
  const findDisabled = ({ kind, lookupState: { answered } }: LookupRow) =>
    sourceQueues.some(({ entry }) => entry.accepts.includes(kind))
      ? undefined
      : disabled.find(({ name, accepts }) => accepts.includes(kind) && !answered.includes(name));

  /** Queues an active row, or moves it to the state that follows from its lookup state. */
  const route = (row: LookupRow) => {
    const { batch, lookupState } = row;
    if (!batches.has(batch)) return;
    const sourceQueue = nextQueue(row, lookupState);
    if (!sourceQueue) {
      const awaited = findDisabled(row);
      if (awaited) park(row, awaited.name);
      else finish(row, noSourceLeft(row));
    } else if (row.cached && sourceQueue.entry.remote) {
      // Only when it is a remote source's turn, because a registry before it takes precedence over the cache.
      finish(row, row.cached);
    } else if (!row.reserved && sourceQueue.entry.remote) {
      moveRow(row, 'leave');
    } else if (lookupState.due !== null && lookupState.due > steadyNow()) {
      moveRow(row, 'delay');
    } else if (sourceQueue.gate.shutReason !== null || phase === 'draining') {
      park(row, sourceQueue.entry.name);
    } else {
      sourceQueue.rows.push(batch, row);
    }
  };
  const park = (row: LookupRow, source: string) => {
    row.awaits = source;
    moveRow(row, 'park');
  };

  const finish = (row: LookupRow, result: RowResult) => {
    moveRow(row, 'finish');
    writer.addResult(row.batch, result);
    endIfIdle(row.batch);
  };

  const endIfIdle = (batch: Batch) => {
    if (!batches.has(batch) || batch.rows.active.size > 0) return;
    const isDraining = phase === 'draining';
    const followUp = followUpOf(batch, isDraining);
    if (followUp && mayKeepBatch(batch, followUp) && !isDraining) return;
    end(batch, followUp);
  };
  const end = (batch: Batch, followUp: FollowUp | null) => {
    batches.delete(batch);
    writer.endBatch(batch, followUp);
  };

  return {
    /**
     * Adds a batch. Its rows are queued at their source, wait, or finish.
     * @param probed a row of it that is about to be asked about
     */
    add(batch: Batch, probed?: LookupRow) {
      batches.add(batch);
      for (const row of [...batch.rows.active]) if (row !== probed) route(row);
      endIfIdle(batch);
      arrivals.wake();
    },
    /** Returns the queue of the source to ask next about a row; undefined if no source is left. */
    nextQueue,
    finish,
    /**
     * Continues an active row with a new lookup state, now or when it is due. Ignores a row of a dropped batch, because it may
     * have been queued again with all of its attempts.
     */
    proceed(row: LookupRow, lookupState: LookupState) {
      if (!batches.has(row.batch)) return;
      row.lookupState = lookupState;
      writer.addLookupState(row);
      route(row);
      endIfIdle(row.batch);
    },
    /** Queues an active row again that was not asked about, or parks it. */
    putBack(row: LookupRow) {
      route(row);
      endIfIdle(row.batch);
    },
    /** Takes a row that is parked for a source and makes it active, for a probe. */
    takeParked({ entry }: SourceQueue): LookupRow | undefined {
      if (phase === 'draining') return undefined;
      const parked = [...batches].flatMap(({ rows }) => [...rows.parked]);
      const row = pickProbeRow(parked.filter(({ awaits }) => awaits === entry.name));
      if (row) moveRow(row, 'resume');
      return row;
    },
    /** Continues the delayed rows that are due. */
    resumeDue() {
      const now = steadyNow();
      const due = [...batches]
        .flatMap(({ rows }) => [...rows.delayed])
        .filter(({ lookupState }) => (lookupState.due ?? 0) <= now);
      for (const row of due) {
        moveRow(row, 'due');
        route(row);
      }
      for (const { batch } of due) endIfIdle(batch);
      if (due.length > 0) arrivals.wake();
    },
    /** Gives back the rechecks that are behind uploads, because uploads may wait for their serials. */
    giveBackOutranked() {
      for (const { rows } of sourceQueues)
        for (const row of rows.removeOutranked()) {
          moveRow(row, 'leave');
          endIfIdle(row.batch);
        }
    },
    /** Parks the rows of sources whose gate is shut, and queues the rows whose source may be asked again. */
    followSources() {
      const shut = sourceQueues.filter(({ gate }) => gate.shutReason !== null);
      for (const { entry, rows } of shut) {
        for (const row of rows.remove(() => true)) {
          park(row, entry.name);
          endIfIdle(row.batch);
        }
      }
      const mayAsk = new Set(
        sourceQueues.filter((known) => !shut.includes(known)).map(({ entry }) => entry.name),
      );
      const resumed = [...batches]
        .flatMap(({ rows }) => [...rows.parked])
        .filter(({ awaits }) => awaits !== null && mayAsk.has(awaits));
      for (const row of resumed) {
        moveRow(row, 'resume');
        route(row);
      }
      if (resumed.length > 0) arrivals.wake();
    },
    /** Removes batches whose ticket was cancelled or deleted, or whose job another worker holds. */
    drop(isLost: (batch: Batch) => boolean) {
      const lost = new Set([...batches].filter(isLost));
      if (lost.size === 0) return;
      for (const batch of lost) batches.delete(batch);
      for (const { rows } of sourceQueues) rows.remove(({ batch }) => lost.has(batch));
    },
    /** Stops queueing rows, and ends the batches that have no call in flight. */
    drain() {
      phase = 'draining';
      for (const { rows } of sourceQueues) {
        for (const row of rows.remove(() => true)) route(row);
      }
      for (const batch of batches) endIfIdle(batch);
    },
    /** Ends every batch, also those with calls in flight. */
    giveBack() {
      for (const batch of batches) end(batch, immediately());
    },
    batches,
    /** The batches whose jobs this worker holds, including ended ones that are not written yet. */
    get heldBatches() {
      return batches.union(writer.batches);
    },
  };
}
