import type { Log } from '#server/runtime/log.ts';
import type { RowResult } from '../rows/row-result.ts';
import { saveAnswers } from './answer-cache.queries.ts';
import type { BatchChanges } from './batch-changes.ts';
import { isRefused } from './refusals.ts';
import { type WriteTools, writeBatches } from './write-batches.ts';

/** After so many rows that are refused whatever is written of them, while none is taken, the others are not tried. */
const enough = 3;

/** What became of changes. */
export type Written = {
  /** The tickets that are gone. */
  gone: number[];
  /** What is refused in every form, so that no single answer is at fault, and why. */
  left: BatchChanges[];
  refusal: Error | undefined;
  /** Whether anything was taken: then the database can be written to, and only `left` cannot. */
  isAnyWritten: boolean;
};

/**
 * Writes changes together; what is refused so one by one, so that only the row fails that cannot be stored. May be
 * repeated. @throws where it was no refusal
 */
export async function writeOrIsolate(tools: WriteTools, log: Log, changes: BatchChanges[]): Promise<Written> {
  try {
    const gone = await writeBatches(tools, changes);
    return { gone, left: [], refusal: undefined, isAnyWritten: true };
  } catch (error) {
    if (!isRefused(error)) throw error;
    return writeApart(tools, log, changes, error);
  }
}

async function writeApart(
  tools: WriteTools,
  log: Log,
  changes: BatchChanges[],
  first: Error,
): Promise<Written> {
  const apart: Written = { gone: [], left: [], refusal: first, isAnyWritten: false };
  /** @returns why it was refused, if it was */
  const attempt: Attempt = async (change, more = {}) => {
    try {
      apart.gone.push(...(await writeBatches({ ...tools, ...more }, [change])));
      apart.isAnyWritten = true;
      return undefined;
    } catch (error) {
      if (!isRefused(error)) throw error;
      apart.refusal = error;
      return error;
    }
  };
  for (const change of changes) {
    const { ticketId } = change.batch;
    const refusal = await attempt(change);
    if (!refusal) continue;
    // The cache is for other tickets: this one's answers are not lost by it.
    if (tools.reusable.length > 0 && !(await attempt(change, { reusable: [] }))) {
      log.error({ err: refusal, ticketId }, 'answers were written, but could not be kept for other tickets');
    } else {
      const left = await writeRowsApart(attempt, tools, log, change);
      if (left) apart.left.push(left);
    }
  }
  return apart;
}

type Attempt = (change: BatchChanges, more?: Partial<WriteTools>) => Promise<Error | undefined>;

/** Every row of a batch in a transaction of its own, and then the end of its job. @returns what is left */
async function writeRowsApart(
  attempt: Attempt,
  tools: WriteTools,
  log: Log,
  change: BatchChanges,
): Promise<BatchChanges | undefined> {
  const none: BatchChanges = { ...change, results: [], lookupStates: new Map(), followUp: undefined };
  const left: BatchChanges = { ...none, lookupStates: new Map() };
  const rows = [
    ...change.results.map((result) => ({ result, write: { ...none, results: [result] } })),
    ...[...change.lookupStates].map(([position, state]) => ({
      result: { position, serial: '', source: state.source, attempts: state.tries },
      write: { ...none, lookupStates: new Map([[position, state]]) },
    })),
  ];
  let written = 0;
  let refused = 0;
  for (const { result, write } of rows) {
    const isHopeless = written === 0 && refused >= enough;
    const refusal = isHopeless ? undefined : await attempt(write);
    const isWritten =
      !isHopeless && (!refusal || (await failRow(attempt, tools, log, write, result, refusal)));
    if (isWritten) written += 1;
    else {
      refused += 1;
      left.results.push(...write.results);
      for (const [position, state] of write.lookupStates) left.lookupStates.set(position, state);
    }
  }
  // The job ends with the last of its rows.
  if (refused > 0) return { ...left, followUp: change.followUp };
  const end = { ...none, followUp: change.followUp };
  return (await attempt(end)) && end;
}

/** Gives a row whose answer is refused a reason in its place. @returns whether that is taken */
async function failRow(
  attempt: Attempt,
  { pool, reusable }: WriteTools,
  log: Log,
  write: BatchChanges,
  result: Parameters<typeof unstorable>[0],
  refusal: Error,
): Promise<boolean> {
  const { ticketId } = write.batch;
  const failed = { ...write, results: [unstorable(result)], lookupStates: new Map() };
  if (await attempt(failed)) return false;
  log.error(
    { err: refusal, ticketId, position: result.position },
    'what was found for a row cannot be stored',
  );
  // It was paid for: once what is wrong is put right, the row can be retried with it.
  await saveAnswers(pool, reusable, [write]).catch((error: unknown) => {
    if (!isRefused(error)) throw error;
  });
  return true;
}

/** Users read this; why the database refused is in the log alone. */
function unstorable({
  position,
  serial,
  source,
  attempts,
}: Pick<RowResult, 'position' | 'serial' | 'source' | 'attempts'>): RowResult {
  return {
    ...{ position, serial, state: 'failed', reason: 'Source unavailable', coverage: null, fetchedAt: null },
    details: 'the answer cannot be stored',
    ...{ source, attempts, egress: null, cached: false },
  };
}
