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
/** The maximum of unwritten changes. Above it, no calls are started and no jobs fetched (back-pressure). */
const maxUnwritten = 5000;
/** The maximum of refused changes of one company. Above it, no jobs of the company are fetched. */
const maxRefused = maxUnwritten / 10;
/** The pause before a failed write is repeated. */
const retryMs = 500;

export type ResultWriter = ReturnType<typeof createResultWriter>;

const countChanges = (changes: BatchChanges[]) =>
  changes.reduce((sum, { results, lookupStates }) => sum + results.length + lookupStates.size, 0);

const refusedText =
  'results could not be written yet: the database refuses the statement itself. They are kept and tried again. ' +
  'Check that all migrations have run, that the role may write, and that the schema was not changed by hand';

/**
 * Writes results, lookup states and the ends of jobs together, in few large transactions.
 * @param wakeup triggered after each transaction
 * @param refusedMs the pause before refused changes of a batch, and its newer ones, are tried again
 */
export function createResultWriter(log: Log, tools: WriteTools, wakeup: Wakeup, refusedMs = 30_000) {
  /** The changes to write, by batch, and those that are being written. */
  const collected = new Map<Batch, BatchChanges>();
  let flushing: BatchChanges[] = [];
  /** The batches with refused changes, and when they are tried again. Until then, their jobs do not end. */
  const refusedUntil = new Map<Batch, number>();
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
  const listUnwritten = () => [...collected.values(), ...flushing];
  const dueAt = ({ batch }: BatchChanges) => refusedUntil.get(batch) ?? 0;
  const listReady = () => {
    const now = performance.now();
    return [...collected.values()].filter((changes) => now >= dueAt(changes));
  };
  const schedule = () => {
    if (current) return;
    if (countChanges(listReady()) >= fullFlush) void run();
    else timer ??= setTimeout(() => void run(), collectMs);
  };

  /** Keeps refused changes for a later try, together with newer ones of the same batch. */
  const keep = (refused: BatchChanges[]) => {
    for (const { batch, results, lookupStates, followUp } of refused) {
      const newer = changesOf(batch);
      newer.results.push(...results);
      newer.lookupStates = new Map([...lookupStates, ...newer.lookupStates]);
      if (newer.followUp === undefined) newer.followUp = followUp;
      refusedUntil.set(batch, performance.now() + refusedMs);
    }
    setTimeout(schedule, refusedMs).unref();
  };

  /** Writes a flush, and retries until its changes are written or refused. */
  const write = async (): Promise<void> => {
    while (true) {
      try {
        const { refused, refusal } = await writeOrIsolate(tools, log, flushing);
        for (const { batch } of flushing) refusedUntil.delete(batch);
        if (refused.length === 0) return;
        keep(refused);
        const tickets = [...new Set(refused.map(({ batch }) => batch.ticketId))];
        log.error({ err: refusal, tickets }, refusedText);
        return;
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
    // Refused changes come last, because they may take seconds.
    flushing = listReady().toSorted((a, b) => dueAt(a) - dueAt(b));
    if (flushing.length === 0) return;
    for (const { batch } of flushing) collected.delete(batch);
    current = write();
    await current;
    current = undefined;
    flushing = [];
    if (listReady().length > 0) schedule();
    wakeup.wake();
  };

  return {
    addResult(batch: Batch, result: RowResult) {
      changesOf(batch).results.push(result);
      schedule();
    },
    addLookupState(row: LookupRow) {
      changesOf(row.batch).lookupStates.set(row.position, row.lookupState);
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
      changesOf(batch).followUp = followUp;
      schedule();
    },
    /**
     * Tries all changes once more, also refused ones. Resolves when they are written, except those that are refused again.
     * No more may be added in the meantime.
     */
    async flush() {
      await current;
      refusedUntil.clear();
      while (current || listReady().length > 0) await (current ?? run());
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
    /** The companies with more refused changes than `maxRefused`. */
    get refusedCompanies() {
      const refused = listUnwritten().filter(({ batch }) => refusedUntil.has(batch));
      const byCompany = Map.groupBy(refused, ({ batch }) => batch.companyCode);
      return [...byCompany].filter(([, own]) => countChanges(own) > maxRefused).map(([company]) => company);
    },
    /** The number of changes that may still be added before back-pressure. */
    get room() {
      return Math.max(0, maxUnwritten - countChanges(listUnwritten()));
    },
  };
}
