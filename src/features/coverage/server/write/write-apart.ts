import type { Log } from '#server/log.ts';
import { readText } from '../responses/read-coverage.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { BatchChanges } from './batch-changes.ts';
import { type WriteTools, writeBatches } from './write-batches.ts';

/** Classes of SQLSTATE that no repetition changes: a value that no column holds, a broken constraint, a limit. */
const forGood = /^(22|23|54)/;

/** Whether the database can never take what it was given, however often it is tried. */
export function isRefusedForGood(error: unknown): error is Error {
  return forGood.test((error as { code?: string } | null)?.code ?? '');
}

/**
 * Writes changes that were refused for good together one by one, so that only the row fails that cannot be stored. May be
 * repeated. @returns the tickets that are gone
 */
export async function writeApart(tools: WriteTools, log: Log, changes: BatchChanges[]): Promise<number[]> {
  const gone: number[] = [];
  for (const change of changes) {
    try {
      gone.push(...(await writeBatches(tools, [change])));
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      gone.push(...(await writeRowsApart(tools, log, change)));
    }
  }
  return [...new Set(gone)];
}

/** Every row of a batch in a transaction of its own, and then the end of its job. */
async function writeRowsApart(tools: WriteTools, log: Log, change: BatchChanges): Promise<number[]> {
  const none = { ...change, results: [], lookupStates: new Map(), followUp: undefined };
  const rows = [
    ...change.results.map((result) => ({ result, write: { ...none, results: [result] } })),
    ...[...change.lookupStates].map(([position, state]) => ({
      result: { position, serial: '', source: state.source, attempts: state.tries },
      write: { ...none, lookupStates: new Map([[position, state]]) },
    })),
  ];
  for (const { result, write } of rows) {
    try {
      await writeBatches(tools, [write]);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      const { ticketId } = change.batch;
      log.error(
        { err: error, ticketId, position: result.position },
        'what was found for a row cannot be stored',
      );
      await writeBatches(tools, [{ ...none, results: [unstorable(result, error)] }]);
    }
  }
  return writeBatches(tools, [{ ...none, followUp: change.followUp }]);
}

function unstorable(
  { position, serial, source, attempts }: Pick<RowResult, 'position' | 'serial' | 'source' | 'attempts'>,
  error: Error,
): RowResult {
  return {
    ...{ position, serial, state: 'failed', reason: 'Source unavailable', coverage: null, fetchedAt: null },
    details: readText(`the answer cannot be stored: ${error.message}`),
    ...{ source, attempts, egress: null, cached: false },
  };
}
