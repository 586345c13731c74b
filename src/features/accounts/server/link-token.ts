import { hash, randomBytes } from 'node:crypto';

/** Returns the hash by which a token is stored and found. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Creates the token of a link, 256 random bits, and the hash to store. */
export function createLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}
