import { setTimeout as delay } from 'node:timers/promises';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import type { Log } from '#server/runtime/log.ts';
import type { FollowUp } from '../jobs/waiting-jobs.queries.ts';
import type { Batch, LookupRow, PositionRange } from '../rows/batch.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { BatchChanges } from './batch-changes.ts';
import type { WriteTools } from './write-batches.ts';
import { writeOrIsolate } from './write-or-isolate.ts';

/** How long changes are collected before they are written together. */
const gatherMs = 50;
/** This many changes are written without waiting for more. */
const enough = 2000;
/** The approximate maximum of a flush, which holds the locks of its tickets. */
const mostInFlush = 2500;
/** The maximum of unwritten changes. At this number nothing is asked and nothing fetched. */
const mostUnwritten = 5000;
/** The first and the longest pause before a failed write is repeated. */
const retryMs = 500;
const longestRetryMs = 30_000;

/** Writes results, lookup states and the ends of jobs together, in few large transactions. */
export type ResultWriter = {
  addResult(batch: Batch, result: RowResult): void;
  /** Writes the lookup state of a row. */
  addLookupState(row: LookupRow): void;
  /** Marks the batch's ticket as Processing. */
  addStart(batch: Batch): void;
  /** Ends a batch's job together with the last of its results. */
  endBatch(batch: Batch, followUp: FollowUp | null): void;
  /** Resolves when all changes added so far are written, except those that the database refuses in every form. */
  flush(): Promise<void>;
  /**
   * Returns the tickets that turned out to be cancelled or deleted since the last call. Nothing was written for them.
   */
  takeGone(): ReadonlySet<number>;
  /** Returns the positions within a range that have unwritten changes. */
  findUnwritten(range: PositionRange): Set<number>;
  /** The batches with unwritten changes. Their jobs are still held. */
  readonly batches: ReadonlySet<Batch>;
  /** The number of unwritten changes. */
  readonly backlog: number;
  /** The number of changes that may still be added. Asking and fetching keep to it. */
  readonly room: number;
};

const sizeOf = ({ results, lookupStates }: BatchChanges) => results.length + lookupStates.size;

const refusedText =
  'results could not be written yet: the database refuses the statement itself. They are kept and tried again. ' +
  'See whether all migrations have run here, whether the role may write, and whether the schema was changed by hand';

/** @param wakeup triggered after each transaction */
export function createResultWriter(log: Log, tools: WriteTools, wakeup: Wakeup): ResultWriter {
  const gathered = new Map<Batch, BatchChanges>();
  /** The changes of the running flush. */
  let flushing: BatchChanges[] = [];
  /** Changes that the database refused in every form. They hold up no other row, and are tried again later. */
  const aside = new Map<Batch, BatchChanges>();
  let gone = new Set<number>();
  let count = 0;
  let writing = 0;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;

  const changesOf = (batch: Batch): BatchChanges => {
    let changes = gathered.get(batch);
    if (!changes) {
      changes = { batch, results: [], lookupStates: new Map(), followUp: undefined };
      gathered.set(batch, changes);
    }
    return changes;
  };
  const listUnwritten = () => [...gathered.values(), ...flushing, ...aside.values()];
  const schedule = () => {
    if (current) return;
    if (count >= enough) void run();
    else timer ??= setTimeout(() => void run(), gatherMs);
  };

  /** Takes whole batches of collected changes for a flush, the oldest first. */
  const takeSome = (): BatchChanges[] => {
    flushing = [];
    writing = 0;
    for (const changes of gathered.values()) {
      if (writing >= mostInFlush) break;
      flushing.push(changes);
      writing += sizeOf(changes);
      gathered.delete(changes.batch);
    }
    count -= writing;
    return flushing;
  };

  /** Adds older changes of the same batch. */
  const addOlder = (newer: BatchChanges, { results, lookupStates, followUp }: BatchChanges) => {
    newer.results.push(...results);
    for (const [position, state] of lookupStates) {
      if (newer.lookupStates.has(position)) count -= 1;
      else newer.lookupStates.set(position, state);
    }
    if (newer.followUp === undefined) newer.followUp = followUp;
  };

  /** Sets refused changes aside for a while. Their jobs do not end before they are written. */
  const setAside = (left: BatchChanges[]) => {
    for (const changes of left) {
      const { batch } = changes;
      count += sizeOf(changes);
      const older = aside.get(batch);
      if (older) addOlder(changes, older);
      const newer = gathered.get(batch);
      if (newer?.followUp !== undefined) {
        changes.followUp = newer.followUp;
        newer.followUp = undefined;
      }
      aside.set(batch, changes);
    }
    setTimeout(() => {
      for (const { batch } of left) {
        const changes = aside.get(batch);
        if (!changes) continue;
        aside.delete(batch);
        addOlder(changesOf(batch), changes);
      }
      schedule();
    }, longestRetryMs).unref();
  };

  /** Writes changes, and repeats that until it succeeds. What is refused in every form is set aside, unless everything is. */
  const write = async (changes: BatchChanges[]): Promise<void> => {
    let left = changes;
    let pauseMs = retryMs;
    while (left.length > 0) {
      try {
        const written = await writeOrIsolate(tools, log, left);
        for (const id of written.gone) gone.add(id);
        left = flushing = written.left;
        writing = left.reduce((sum, some) => sum + sizeOf(some), 0);
        if (left.length === 0) return;
        const tickets = [...new Set(left.map(({ batch }) => batch.ticketId))];
        log.error({ err: written.refusal, tickets }, refusedText);
        if (written.isAnyWritten) {
          flushing = [];
          writing = 0;
          return setAside(left);
        }
        await delay(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestRetryMs);
      } catch (error) {
        // The connections were ended, and none comes again: trying on would only keep the process alive.
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
    current = write(takeSome());
    await current;
    current = undefined;
    flushing = [];
    writing = 0;
    if (gathered.size > 0) schedule();
    wakeup.wake();
  };

  return {
    addResult(batch, result) {
      changesOf(batch).results.push(result);
      count += 1;
      schedule();
    },
    addLookupState(row) {
      const { lookupStates } = changesOf(row.batch);
      if (!lookupStates.has(row.position)) count += 1;
      lookupStates.set(row.position, row.lookupState);
      schedule();
    },
    addStart(batch) {
      changesOf(batch);
      schedule();
    },
    endBatch(batch, followUp) {
      (aside.get(batch) ?? changesOf(batch)).followUp = followUp;
      schedule();
    },
    async flush() {
      while (current || gathered.size > 0) await (current ?? run());
    },
    takeGone() {
      const taken = gone;
      if (gone.size > 0) gone = new Set();
      return taken;
    },
    findUnwritten({ ticketId, lo, hi }) {
      const positions = listUnwritten()
        .filter(({ batch }) => batch.ticketId === ticketId && batch.lo <= hi && batch.hi >= lo)
        .flatMap(({ results, lookupStates }) => [
          ...results.map(({ position }) => position),
          ...lookupStates.keys(),
        ]);
      return new Set(positions);
    },
    get batches() {
      return new Set(listUnwritten().map(({ batch }) => batch));
    },
    get backlog() {
      return count + writing;
    },
    get room() {
      return Math.max(0, mostUnwritten - count - writing);
    },
  };
}
