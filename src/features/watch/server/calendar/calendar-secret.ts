import { createHash, randomBytes } from 'node:crypto';
import { findVault } from '#server/vault/vault.ts';

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Creates the secret of a calendar's address, 256 random bits, as it is stored: sealed, and hashed. */
export function createCalendarSecret(): { sealed: string; hash: Buffer } {
  const secret = randomBytes(32).toString('hex');
  return { sealed: findVault().seal('calendar', secret), hash: hashSecret(secret) };
}
