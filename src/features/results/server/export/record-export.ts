import { type RecordedAction, record } from '#features/audit/server/audit.service.ts';
import type { Origin } from '#server/http/origin.ts';
import { withThreadClient } from '#server/threads/thread-client.ts';

/** The audit entry of a file that a thread writes with results. */
export type RecordedExport = {
  /** Where the entry is written: the thread may read from a replica. */
  databaseUrl: string;
  /**
   * The entry, to which the thread adds the number of rows, and whether the file is complete; null if the thread records
   * none.
   */
  action: RecordedAction | null;
  origin: Origin;
};

/**
 * Returns a function that records an export at its first call, before the last bytes of its file or after the caller has
 * disconnected: both may come at once.
 */
export function createExportRecorder({ databaseUrl, action, origin }: RecordedExport) {
  let isRecorded = false;
  return async (found: { rows: number; complete: boolean }): Promise<void> => {
    if (isRecorded || !action) return;
    isRecorded = true;
    const entry = { ...action, after: { ...action.after, ...found } };
    await withThreadClient(databaseUrl, 'export', (primary) => record(primary, entry, origin));
  };
}
