import { createHash, randomBytes } from 'node:crypto';

export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Creates the token of a link, 256 random bits, and the hash to store. */
export function createLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashLinkToken(token) };
}
