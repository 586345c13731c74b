import { ApiFailure } from '#web/client/failure.ts';

/** A file that was sent, for which order, and the Idempotency-Key that it was sent under. */
export type UploadAttempt = { file: File; order: string; key: string };

/** A fresh key; `crypto.randomUUID` is missing where the product is served without TLS. */
function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The same file as far as a page can tell, also when it was chosen anew. */
function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

/**
 * Returns the next attempt. It reuses the key of the previous one if that outcome is unknown and the file is the same.
 * @param open the previous attempt, while its outcome is unknown
 */
export function beginAttempt(file: File, order: string, open: UploadAttempt | null): UploadAttempt {
  const repeats = open !== null && isSameFile(open.file, file) && open.order === order;
  return { file, order, key: repeats ? open.key : makeKey() };
}

/** Whether a failed upload may still have become a ticket: called off, no answer, or none that the product gave. */
export function isEndUnknown(failure: unknown): boolean {
  return !(failure instanceof ApiFailure) || failure.status === 0 || failure.status >= 500;
}
