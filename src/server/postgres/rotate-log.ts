import { copyFile, stat, truncate } from 'node:fs/promises';

/**
 * Puts a log that has grown beyond some bytes aside and empties it. Whoever has it open for appending writes on; a line
 * that is written in between may be lost.
 */
export async function rotateLog(file: string, limit: number): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= limit) return;
  await copyFile(file, `${file}.old`);
  await truncate(file);
}
