import type { Log } from '#server/runtime/log.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { BatchChanges } from './batch-changes.ts';
import { isRefused } from './refusals.ts';
import { type WriteTools, writeBatches } from './write-batches.ts';

/** After so many rows that are refused in every form while none is accepted, the statement itself is at fault. */
const hopelessRows = 3;

/** The result of a write. */
export type Written = {
  /** Tickets that were cancelled or deleted. */
  gone: number[];
  /** The changes that the database refuses in every form, and its reason. */
  left: BatchChanges[];
  refusal: Error | undefined;
  /** Whether the database accepted any row: then it can be written to, and only `left` cannot. */
  isAnyWritten: boolean;
};

/**
 * Writes changes together. If the database refuses that, writes every row in a transaction of its own, so that only the row
 * fails whose answer cannot be stored. May be repeated.
 * @throws Error for any other failure than a refusal
 */
export async function writeOrIsolate(tools: WriteTools, log: Log, changes: BatchChanges[]): Promise<Written> {
  try {
    const gone = await writeBatches(tools, changes);
    return { gone, left: [], refusal: undefined, isAnyWritten: true };
  } catch (error) {
    if (!isRefused(error)) throw error;
    return writeRows(tools, log, changes, error);
  }
}

async function writeRows(
  tools: WriteTools,
  log: Log,
  changes: BatchChanges[],
  refusal: Error,
): Promise<Written> {
  const written: Written = { gone: [], left: [], refusal, isAnyWritten: false };
  /** @returns whether the database accepts it */
  const attempt = async (change: BatchChanges, reusable = tools.reusable): Promise<boolean> => {
    try {
      written.gone.push(...(await writeBatches({ ...tools, reusable }, [change])));
      return true;
    } catch (error) {
      if (!isRefused(error)) throw error;
      written.refusal = error;
      return false;
    }
  };
  /** Writes a row's change, else without the answer cache, else a failed result in its place. */
  const writeRow = async (row: BatchChanges): Promise<boolean> => {
    if (await attempt(row)) return true;
    const { ticketId } = row.batch;
    const err = written.refusal;
    if (tools.reusable.length > 0 && (await attempt(row, []))) {
      log.error({ err, ticketId }, 'answers were written, but could not be kept for other tickets');
      return true;
    }
    if (!(await attempt(failRow(row)))) return false;
    log.error({ err, ticketId }, 'what was found for a row cannot be stored');
    return true;
  };

  let accepted = 0;
  let refused = 0;
  for (const change of changes) {
    const left: BatchChanges = { ...change, results: [], lookupStates: new Map() };
    for (const row of splitRows(change)) {
      const isHopeless = accepted === 0 && refused >= hopelessRows;
      if (!isHopeless && (await writeRow(row))) {
        accepted += 1;
        written.isAnyWritten = true;
        continue;
      }
      refused += 1;
      left.results.push(...row.results);
      for (const [position, state] of row.lookupStates) left.lookupStates.set(position, state);
    }
    // The job ends with the last of its rows.
    const isComplete = left.results.length + left.lookupStates.size === 0;
    if (!isComplete || !(await attempt(left))) written.left.push(left);
  }
  return written;
}

/** Splits a batch's changes into one for each row, without the end of its job. */
function splitRows({ batch, results, lookupStates }: BatchChanges): BatchChanges[] {
  const none = { batch, results: [], lookupStates: new Map(), followUp: undefined };
  return [
    ...results.map((result) => ({ ...none, results: [result] })),
    ...[...lookupStates].map((state) => ({ ...none, lookupStates: new Map([state]) })),
  ];
}

/** Replaces the change of a single row by a failed result. Users read it; the database's reason is in the log alone. */
function failRow(row: BatchChanges): BatchChanges {
  const [state] = row.lookupStates;
  const { position, serial, source, attempts } = row.results[0] ?? {
    position: state?.[0] ?? 0,
    serial: '',
    source: state?.[1].source ?? null,
    attempts: state?.[1].tries ?? 0,
  };
  const failed: RowResult = {
    position,
    serial,
    source,
    attempts,
    state: 'failed',
    reason: 'Source unavailable',
    coverage: null,
    details: 'the answer cannot be stored',
    fetchedAt: null,
    egress: null,
    cached: false,
  };
  return { ...row, results: [failed], lookupStates: new Map() };
}
