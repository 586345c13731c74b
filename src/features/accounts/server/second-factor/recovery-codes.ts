import { createHash, randomBytes } from 'node:crypto';

const count = 10;
/** 32 letters and digits that are not mistaken for each other, so that a random byte has no favourites among them. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 120 random bits: enough that a fast hash protects a stored code. */
const length = 24;

/** Creates the recovery codes of one user: 24 letters and digits in groups of 4. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const letters = [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
    return letters.replaceAll(/(.{4})(?!$)/g, '$1-');
  });
}

/** Returns the hash by which a recovery code is stored. Case, spaces and dashes do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
    .digest();
}
