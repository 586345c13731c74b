import { copyFile, stat, truncate } from 'node:fs/promises';

/**
 * Copies a log that is longer than `limit` bytes, and truncates it. A process that has it open for appending continues to
 * write; a line that it writes during the copy may be lost. On a full disk, the copy is not complete.
 */
export async function rotateLog(file: string, limit: number): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= limit) return;
  await copyFile(file, `${file}.old`).catch(() => undefined);
  await truncate(file);
}
