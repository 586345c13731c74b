import type { Log } from '#server/log.ts';
import type { Batch, Brought, Follow, LookupRow, RowResult } from '../rows/batch.ts';
import { type WriteTools, writeBrought } from './write-batches.ts';

/** How long outcomes gather before they are written together. */
const gatherMs = 50;
/** Outcomes that are written without gathering on. */
const enough = 2000;
const retryMs = 500;

/** Writes what the lookups brought: outcomes, counters and the job's end together, in few large transactions. */
export type Writer = {
  addResult(batch: Batch, result: RowResult): void;
  /** Keeps what a row has used up. */
  addProgress(row: LookupRow): void;
  /** Says that a ticket's lookups have begun. */
  addStart(batch: Batch): void;
  /** Ends a batch once its outcomes are written. */
  end(batch: Batch, follow: Follow | null): void;
  /** Resolves when everything added so far is written. */
  flush(): Promise<void>;
  /** Outcomes that are not written yet. */
  readonly backlog: number;
};

/**
 * @param onWritten called after each transaction with the tickets that turned out to be stopped or deleted; nothing was
 * written for them
 */
export function createWriter(
  log: Log,
  tools: WriteTools,
  onWritten: (goneTickets: number[]) => void,
): Writer {
  let entries = new Map<Batch, Brought>();
  let gathered = 0;
  let writing = 0;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;

  const entryOf = (batch: Batch): Brought => {
    let entry = entries.get(batch);
    if (!entry) {
      entry = { batch, results: [], progress: new Map(), follow: undefined };
      entries.set(batch, entry);
    }
    return entry;
  };
  const schedule = () => {
    if (current) return;
    if (gathered >= enough) void run();
    else timer ??= setTimeout(() => void run(), gatherMs);
  };

  /** Writes what has gathered; while the database is away, again until it is back. */
  const run = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (current) return current;
    const work = [...entries.values()];
    writing = gathered;
    [entries, gathered] = [new Map(), 0];
    let gone: number[] = [];
    current = (async () => {
      for (;;) {
        try {
          gone = await writeBrought(tools, work);
          return;
        } catch (error) {
          log.error({ err: error }, 'outcomes could not be written yet');
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        }
      }
    })();
    await current;
    current = undefined;
    writing = 0;
    if (entries.size > 0) schedule();
    onWritten(gone);
  };

  return {
    addResult(batch, result) {
      entryOf(batch).results.push(result);
      gathered += 1;
      schedule();
    },
    addProgress(row) {
      entryOf(row.batch).progress.set(row.position, row.progress);
      gathered += 1;
      schedule();
    },
    addStart(batch) {
      entryOf(batch);
      schedule();
    },
    end(batch, follow) {
      entryOf(batch).follow = follow;
      schedule();
    },
    async flush() {
      while (current || entries.size > 0) await (current ?? run());
    },
    get backlog() {
      return gathered + writing;
    },
  };
}
