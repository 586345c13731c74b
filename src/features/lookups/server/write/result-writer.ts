import { setTimeout as delay } from 'node:timers/promises';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import type { Log } from '#server/runtime/log.ts';
import type { FollowUp } from '../jobs/waiting-jobs.queries.ts';
import type { Batch, LookupRow, PositionRange } from '../rows/batch.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { BatchChanges } from './batch-changes.ts';
import type { WriteTools } from './write-batches.ts';
import { writeOrIsolate } from './write-or-isolate.ts';

/** How long changes gather before they are written together. */
const gatherMs = 50;
/** So many changes are written without waiting for more. */
const enough = 2000;
/** About so many at most in one flush: as long as it takes, nobody else gets the ticket's lock. */
const mostInFlush = 2500;
/** While so many wait to be written, nothing is asked and nothing fetched that would add to them. */
const mostUnwritten = 5000;
/** The first and the longest pause before a failed write is repeated. */
const retryMs = 500;
const longestRetryMs = 30_000;

/** Writes results, lookup states and the ends of jobs together, in few large transactions. */
export type ResultWriter = {
  addResult(batch: Batch, result: RowResult): void;
  /** Writes what a row has used up so far. */
  addLookupState(row: LookupRow): void;
  /** Marks the batch's ticket as Processing. */
  addStart(batch: Batch): void;
  /** Ends a batch's job together with the last of its results. */
  endBatch(batch: Batch, followUp: FollowUp | null): void;
  /** Resolves when everything that was added so far is written. */
  flush(): Promise<void>;
  /**
   * The tickets that were cancelled or deleted meanwhile, for which nothing was written, since this was last called.
   */
  takeGone(): ReadonlySet<number>;
  /** Returns the positions of rows, within a range, that have changes which are not written yet. */
  findUnwritten(range: PositionRange): Set<number>;
  /** The batches with changes that are not written yet: their jobs are still held. */
  readonly batches: ReadonlySet<Batch>;
  /** The number of changes that are not written yet. */
  readonly backlog: number;
  /** How many more changes may come: what makes them, asking or fetching, keeps to it. */
  readonly room: number;
};

const sizeOf = ({ results, lookupStates }: BatchChanges) => results.length + lookupStates.size;

const refusedText =
  'results could not be written yet: the database refuses the statement itself. They are kept and tried again. ' +
  'See whether all migrations have run here, whether the role may write, and whether the schema was changed by hand';

/** @param wakeup given after each transaction */
export function createResultWriter(log: Log, tools: WriteTools, wakeup: Wakeup): ResultWriter {
  const gathered = new Map<Batch, BatchChanges>();
  /** The changes of the flush under way. */
  let flushing: BatchChanges[] = [];
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
  const listUnwritten = () => [...gathered.values(), ...flushing];
  const schedule = () => {
    if (current) return;
    if (count >= enough) void run();
    else timer ??= setTimeout(() => void run(), gatherMs);
  };

  /** Takes what has gathered, by whole batches: the oldest ones, where it is too much for one flush. */
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

  /** Writes changes, as often as it takes. */
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
      changesOf(batch).followUp = followUp;
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
