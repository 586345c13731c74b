import { access } from 'node:fs/promises';

/** Returns whether a file or folder exists. @throws the system's error if this account cannot know it */
export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
