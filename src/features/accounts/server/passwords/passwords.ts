import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { HashQueue } from './hash-queue.ts';

// argon2id, as OWASP advises: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Fewer hashes at once than libuv has threads (4), so that files can still be read. The queue holds a company's sign-ins, and
 * one account takes a tenth of it.
 */
const hashQueue = new HashQueue({ concurrency: 3, waiting: 300, ofAccount: 30, maxWaitMs: 15_000 });

/** Hashes a password with argon2id. The hash contains its salt and cost. */
export function hashPassword(password: string): Promise<string> {
  return hashQueue.run(() => hash(password, cost));
}

const present = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Returns whether a hash has another cost or algorithm than new ones. */
export function isOutdatedHash(passwordHash: string): boolean {
  return !passwordHash.startsWith(present);
}

// Made at the start, because the first unknown account must not take longer than others.
const decoy = hashPassword(randomBytes(32).toString('hex'));

/**
 * Returns whether a password has this hash. Without a hash it takes the same time and returns false.
 * @param account a name of the account, known or not, which limits its own attempts at the same time
 * @throws AppError 429 when too many passwords of the account, or of all, are being hashed
 */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  account: string,
): Promise<boolean> {
  const against = passwordHash ?? (await decoy);
  const matches = await hashQueue.run(() => verify(against, password), account);
  return matches && passwordHash !== undefined;
}

/** Generates a temporary password: 22 letters and digits, 128 bits. */
export function generatePassword(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  // 228 is the largest multiple of 57 below 256, so all letters are equally likely.
  const bytes = [...randomBytes(64)].filter((byte) => byte < 228).slice(0, 22);
  if (bytes.length < 22) return generatePassword();
  return bytes.map((byte) => alphabet[byte % alphabet.length]).join('');
}
