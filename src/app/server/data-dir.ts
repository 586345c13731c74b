import { access, chmod, constants, mkdir } from 'node:fs/promises';
import { StartError } from '#server/runtime/start-error.ts';

/**
 * Creates the data folder if it is missing, closed to other accounts. When created by root, others may enter it but not
 * list it, because the embedded database runs as another account.
 * @throws StartError naming DATA_DIR
 */
export async function makeDataDir(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true });
    if (made) await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new StartError(`DATA_DIR takes a folder that this account may write: ${(error as Error).message}`);
  }
}
