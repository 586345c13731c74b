import pg from 'pg';
import type { Log } from '#server/runtime/log.ts';
import { failedResult } from '../rows/row-result.ts';
import { type BatchChanges, type WriteTools, writeBatches } from './write-batches.ts';

/** The time after which no more refused batches are split into rows. With a broken schema, every row would be refused. */
const isolateMs = 3000;

/**
 * SQLSTATE classes of failures that are transient or that an operator can fix: connections (08), ended or read-only
 * transactions (25), credentials (28), a missing database (3D), serialization failures and deadlocks (40), resources
 * (53), locks (55), shutdowns and timeouts (57), system errors (58).
 */
const transientClasses = /^(08|25|28|3D|40|53|55|57|58)/;

export type WriteOutcome = {
  /** The changes that the database refuses in every form, after those that were not tried one by one. */
  refused: BatchChanges[];
  /** The last refusal. */
  refusal: Error | undefined;
};

/**
 * Writes changes together. If the database refuses that, writes each batch, and each row of a refused batch, in its own
 * transaction, so that only the refused rows fail. Safe to repeat.
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
    return isolate(tools, log, changes, error);
  }
}

async function isolate(
  tools: WriteTools,
  log: Log,
  changes: BatchChanges[],
  firstRefusal: Error,
): Promise<WriteOutcome> {
  let refusal = firstRefusal;
  /** Returns whether the database accepts the change. */
  const attempt = async (change: BatchChanges, reusable = tools.reusable): Promise<boolean> => {
    try {
      await writeBatches({ ...tools, reusable }, [change]);
      return true;
    } catch (error) {
      if (!isRefused(error)) throw error;
      refusal = error;
      return false;
    }
  };
  /** Writes a row's change; if refused, without the answer cache; if refused again, a failed result instead. */
  const writeRow = async (row: BatchChanges): Promise<boolean> => {
    if (await attempt(row)) return true;
    const { ticketId } = row.batch;
    const err = refusal;
    if (tools.reusable.length > 0 && (await attempt(row, []))) {
      log.error({ err, ticketId }, 'an answer was written, but could not be cached for other tickets');
      return true;
    }
    if (!(await attempt(failRow(row)))) return false;
    log.error({ err, ticketId }, 'the answer for a row cannot be stored');
    return true;
  };

  const deadline = performance.now() + isolateMs;
  const untried: BatchChanges[] = [];
  const refused: BatchChanges[] = [];
  for (const change of changes) {
    if (await attempt(change)) continue;
    if (performance.now() > deadline) {
      untried.push(change);
      continue;
    }
    const left: BatchChanges = { ...change, results: [], lookupStates: new Map() };
    for (const row of splitRows(change)) {
      if (await writeRow(row)) continue;
      left.results.push(...row.results);
      for (const [position, state] of row.lookupStates) left.lookupStates.set(position, state);
    }
    // The job ends only when all of its rows are written.
    const isComplete = left.results.length + left.lookupStates.size === 0;
    if (!isComplete || !(await attempt(left))) refused.push(left);
  }
  return { refused: [...untried, ...refused], refusal };
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
