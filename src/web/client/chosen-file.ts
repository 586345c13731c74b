import { ApiFailure } from './failure.ts';

/**
 * Reads the first bytes of a file that the user chose.
 * @throws ApiFailure 410 if it was changed, moved or deleted since: browsers read only the content that was chosen
 */
export async function readBeginning(file: File, length: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, length).arrayBuffer());
  } catch {
    throw new ApiFailure(410, { code: 'file_changed' });
  }
}
