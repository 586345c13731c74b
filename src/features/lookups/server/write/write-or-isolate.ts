import pg from 'pg';
import type { Log } from '#server/runtime/log.ts';
import { failedResult } from '../rows/row-result.ts';
import { type BatchChanges, type WriteTools, writeBatches } from './write-batches.ts';

/** If this many rows are refused in every form and none is accepted, the statement itself is at fault. */
const maxRefusedRows = 3;

/**
 * SQLSTATE classes of failures that are transient or that an operator can fix: connections (08), ended or read-only
 * transactions (25), credentials (28), a missing database (3D), serialization failures and deadlocks (40), resources
 * (53), locks (55), shutdowns and timeouts (57), system errors (58).
 */
const transientClasses = /^(08|25|28|3D|40|53|55|57|58)/;

export type WriteOutcome = {
  /** The changes that the database refuses in every form, and the last refusal. */
  refused: BatchChanges[];
  refusal: Error | undefined;
};

/**
 * Writes changes together. If the database refuses that, writes each row in its own transaction, so that only the
 * refused rows fail. Safe to repeat.
 * @throws Error for any failure other than a refusal
 */
export async function writeOrIsolate(
  tools: WriteTools,
  log: Log,
  changes: BatchChanges[],
): Promise<WriteOutcome> {
  try {
    await writeBatches(tools, changes);
    return { refused: [], refusal: undefined };
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
): Promise<WriteOutcome> {
  const outcome: WriteOutcome = { refused: [], refusal };
  /** Returns whether the database accepts the change. */
  const attempt = async (change: BatchChanges, reusable = tools.reusable): Promise<boolean> => {
    try {
      await writeBatches({ ...tools, reusable }, [change]);
      return true;
    } catch (error) {
      if (!isRefused(error)) throw error;
      outcome.refusal = error;
      return false;
    }
  };
  /** Writes a row's change; if refused, without the answer cache; if refused again, a failed result instead. */
  const writeRow = async (row: BatchChanges): Promise<boolean> => {
    if (await attempt(row)) return true;
    const { ticketId } = row.batch;
    const err = outcome.refusal;
    if (tools.reusable.length > 0 && (await attempt(row, []))) {
      log.error({ err, ticketId }, 'an answer was written, but could not be cached for other tickets');
      return true;
    }
    if (!(await attempt(failRow(row)))) return false;
    log.error({ err, ticketId }, 'the answer for a row cannot be stored');
    return true;
  };

  let isAnyWritten = false;
  let refusedRows = 0;
  for (const change of changes) {
    const refused: BatchChanges = { ...change, results: [], lookupStates: new Map() };
    for (const row of splitRows(change)) {
      const isHopeless = !isAnyWritten && refusedRows >= maxRefusedRows;
      if (!isHopeless && (await writeRow(row))) {
        isAnyWritten = true;
        continue;
      }
      refusedRows += 1;
      refused.results.push(...row.results);
      for (const [position, state] of row.lookupStates) refused.lookupStates.set(position, state);
    }
    // The job ends only when all of its rows are written.
    const isComplete = refused.results.length + refused.lookupStates.size === 0;
    if (!isComplete || !(await attempt(refused))) outcome.refused.push(refused);
  }
  return outcome;
}

/** Splits a batch's changes into one for each row, without the end of its job. */
function splitRows({ batch, results, lookupStates }: BatchChanges): BatchChanges[] {
  const emptyChanges = { batch, results: [], lookupStates: new Map(), followUp: undefined };
  return [
    ...results.map((result) => ({ ...emptyChanges, results: [result] })),
    ...[...lookupStates].map((state) => ({ ...emptyChanges, lookupStates: new Map([state]) })),
  ];
}

/** Replaces the change of a single row by a failed result. The database's reason is only logged. */
function failRow(row: BatchChanges): BatchChanges {
  const [state] = row.lookupStates;
  const { position, serial, source, attempts } = row.results[0] ?? {
    position: state?.[0] ?? 0,
    serial: '',
    source: state?.[1].source ?? null,
    attempts: state?.[1].tries ?? 0,
  };
  const [reason, details] = ['Source unavailable', 'the answer cannot be stored'];
  const failed = failedResult({ position, serial, reason, details, source, attempts });
  return { ...row, results: [failed], lookupStates: new Map() };
}

/**
 * Returns whether the database refuses a write and would refuse it again, because of a value, a constraint, a limit, or
 * a mistake in the statement or schema.
 */
export function isRefused(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code !== undefined && !transientClasses.test(error.code);
}
