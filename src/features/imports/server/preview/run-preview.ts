import { deadlines } from '#server/db/connection/open-db.ts';
import { createThreadClient } from '#server/threads/thread-client.ts';
import { previewRows } from './preview-rows.ts';
import type { PreviewedSheet, PreviewTask } from './preview-task.ts';

/** Runs a preview on a connection of its own. @throws as `previewRows` */
export async function runPreview(task: PreviewTask): Promise<PreviewedSheet> {
  const client = createThreadClient(task.databaseUrl, 'preview', deadlines.imports);
  await client.connect();
  try {
    return await previewRows(client, task);
  } finally {
    await client.end();
  }
}
