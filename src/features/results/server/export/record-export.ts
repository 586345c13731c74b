import { type RecordedAction, record } from '#features/audit/server/audit.service.ts';
import type { Origin } from '#server/http/origin.ts';
import { withThreadClient } from '#server/threads/thread-client.ts';

/** The audit entry of a file that a thread writes with results. */
export type RecordedExport = {
  /** Where the entry is written: the thread may read from a replica. */
  databaseUrl: string;
  /** The entry, to which the thread adds the number of rows, and whether the file is complete. */
  action: RecordedAction;
  origin: Origin;
};

/** Records an export, before the last bytes of its file or after the caller has disconnected. */
export async function recordExport(
  { databaseUrl, action, origin }: RecordedExport,
  found: { rows: number; complete: boolean },
): Promise<void> {
  const entry = { ...action, after: { ...action.after, ...found } };
  await withThreadClient(databaseUrl, 'export', (primary) => record(primary, entry, origin));
}
