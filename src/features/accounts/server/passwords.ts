import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

// argon2id, as OWASP advises: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with argon2id; the text carries its salt and cost. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

// Made at once: the first unknown account must not take longer than the others.
const decoy = hashPassword(randomBytes(32).toString('hex'));

/** Checks a password; where there is no hash it takes the same time and says no. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== undefined;
}

/** A password that nobody has to remember for long: 16 letters and digits, about 95 bits. */
export function generatePassword(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  // 228 is the largest multiple of 57 below 256: no letter is likelier than another.
  const bytes = [...randomBytes(64)].filter((byte) => byte < 228).slice(0, 16);
  if (bytes.length < 16) return generatePassword();
  return bytes.map((byte) => alphabet[byte % alphabet.length]).join('');
}
