import { setTimeout as delay } from 'node:timers/promises';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import type { Log } from '#server/runtime/log.ts';
import type { FollowUp } from '../jobs/end-jobs.queries.ts';
import type { Batch, LookupRow, PositionRange } from '../rows/batch.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { BatchChanges, WriteTools } from './write-batches.ts';
import { writeOrIsolate } from './write-or-isolate.ts';

/** How long changes are collected before they are written together. */
const collectMs = 50;
/** This many changes are written without waiting for more. */
const fullFlush = 2000;
/** The approximate maximum of a flush, which holds the locks of its tickets. */
const maxFlush = 2500;
/** The maximum of unwritten changes. Above it, no calls are started and no jobs fetched (back-pressure). */
const maxUnwritten = 5000;
/** The pause before a failed write is repeated. */
const retryMs = 500;

export type ResultWriter = ReturnType<typeof createResultWriter>;

const sizeOf = ({ results, lookupStates }: BatchChanges) => results.length + lookupStates.size;

const refusedText =
  'results could not be written yet: the database refuses the statement itself. They are kept and tried again. ' +
  'Check that all migrations have run, that the role may write, and that the schema was not changed by hand';

/**
 * Writes results, lookup states and the ends of jobs together, in few large transactions.
 * @param wakeup triggered after each transaction
 * @param refusedMs the pause before refused rows are tried again
 */
export function createResultWriter(log: Log, tools: WriteTools, wakeup: Wakeup, refusedMs = 30_000) {
  const collected = new Map<Batch, BatchChanges>();
  let flushing: BatchChanges[] = [];
  /** Refused changes. They do not block other rows, and are tried again later. */
  const aside = new Map<Batch, BatchChanges>();
  let count = 0;
  let writing = 0;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;

  const changesOf = (batch: Batch): BatchChanges => {
    let changes = collected.get(batch);
    if (!changes) {
      changes = { batch, results: [], lookupStates: new Map(), followUp: undefined };
      collected.set(batch, changes);
    }
    return changes;
  };
  const listUnwritten = () => [...collected.values(), ...flushing, ...aside.values()];
  const schedule = () => {
    if (current) return;
    if (count >= fullFlush) void run();
    else timer ??= setTimeout(() => void run(), collectMs);
  };

  /** Takes whole batches of collected changes for a flush, the oldest first. */
  const takeFlush = (): BatchChanges[] => {
    flushing = [];
    writing = 0;
    for (const changes of collected.values()) {
      if (writing >= maxFlush) break;
      flushing.push(changes);
      writing += sizeOf(changes);
      collected.delete(changes.batch);
    }
    count -= writing;
    return flushing;
  };

  /** Merges older changes into newer ones of the same batch. */
  const addOlder = (newer: BatchChanges, { results, lookupStates, followUp }: BatchChanges) => {
    newer.results.push(...results);
    for (const [position, state] of lookupStates) {
      if (newer.lookupStates.has(position)) count -= 1;
      else newer.lookupStates.set(position, state);
    }
    if (newer.followUp === undefined) newer.followUp = followUp;
  };

  /** Sets refused changes aside for a while. Their jobs do not end before they are written. */
  const setAside = (refused: BatchChanges[]) => {
    for (const changes of refused) {
      const { batch } = changes;
      count += sizeOf(changes);
      const older = aside.get(batch);
      if (older) addOlder(changes, older);
      const newer = collected.get(batch);
      if (newer?.followUp !== undefined) {
        changes.followUp = newer.followUp;
        newer.followUp = undefined;
      }
      aside.set(batch, changes);
    }
    setTimeout(() => {
      for (const { batch } of refused) {
        const changes = aside.get(batch);
        if (!changes) continue;
        aside.delete(batch);
        addOlder(changesOf(batch), changes);
      }
      schedule();
    }, refusedMs).unref();
  };

  /** Writes changes, and retries until they are written or refused. Sets refused rows aside. */
  const write = async (changes: BatchChanges[]): Promise<void> => {
    while (true) {
      try {
        const { refused, refusal } = await writeOrIsolate(tools, log, changes);
        flushing = [];
        writing = 0;
        if (refused.length === 0) return;
        const tickets = [...new Set(refused.map(({ batch }) => batch.ticketId))];
        log.error({ err: refusal, tickets }, refusedText);
        return setAside(refused);
      } catch (error) {
        // No connection will be opened again, so retries would only keep the process alive.
        if (tools.pool.ending) return;
        log.error({ err: error }, 'results could not be written yet');
        await delay(retryMs);
      }
    }
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (current) return current;
    current = write(takeFlush());
    await current;
    current = undefined;
    flushing = [];
    writing = 0;
    if (collected.size > 0) schedule();
    wakeup.wake();
  };

  return {
    addResult(batch: Batch, result: RowResult) {
      changesOf(batch).results.push(result);
      count += 1;
      schedule();
    },
    addLookupState(row: LookupRow) {
      const { lookupStates } = changesOf(row.batch);
      if (!lookupStates.has(row.position)) count += 1;
      lookupStates.set(row.position, row.lookupState);
      schedule();
    },
    /** Notes that a source is asked about a row of the batch, so that its ticket is Processing. */
    addCall(batch: Batch) {
      if (batch.asked) return;
      batch.asked = true;
      changesOf(batch);
      schedule();
    },
    /** Ends a batch's job in the transaction that writes the last of its results. */
    endBatch(batch: Batch, followUp: FollowUp | null) {
      (aside.get(batch) ?? changesOf(batch)).followUp = followUp;
      schedule();
    },
    /** Resolves when all changes are written, except refused ones. No more may be added in the meantime. */
    async flush() {
      while (current || collected.size > 0) await (current ?? run());
    },
    findUnwritten({ ticketId, lo, hi }: PositionRange) {
      const positions = listUnwritten()
        .filter(({ batch }) => batch.ticketId === ticketId && batch.lo <= hi && batch.hi >= lo)
        .flatMap(({ results, lookupStates }) => [
          ...results.map(({ position }) => position),
          ...lookupStates.keys(),
        ]);
      return new Set(positions);
    },
    /** The batches with unwritten changes. Their jobs are still held. */
    get batches() {
      return new Set(listUnwritten().map(({ batch }) => batch));
    },
    /** The number of changes that may still be added before back-pressure. */
    get room() {
      return Math.max(0, maxUnwritten - count - writing);
    },
  };
}
