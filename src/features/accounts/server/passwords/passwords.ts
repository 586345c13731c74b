import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { HashLine } from './hash-line.ts';

// argon2id, as OWASP advises: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Fewer at once than libuv has threads, so that files are still read; enough in line for a company that comes to work. */
const line = new HashLine({ atOnce: 3, waiting: 300, patienceMs: 15_000 });

/** Hashes a password with argon2id; the text carries its salt and cost. */
export function hashPassword(password: string): Promise<string> {
  return line.run(() => hash(password, cost));
}

const present = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Whether a hash was made at another cost, or in another way, than hashes are made now. */
export function isOutdatedHash(passwordHash: string): boolean {
  return !passwordHash.startsWith(present);
}

// Made at once: the first unknown account must not take longer than the others.
const decoy = hashPassword(randomBytes(32).toString('hex'));

/** Checks a password; where there is no hash it takes the same time and says no. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const against = passwordHash ?? (await decoy);
  const matches = await line.run(() => verify(against, password));
  return matches && passwordHash !== undefined;
}

/** A password that nobody has to remember for long: 22 letters and digits, 128 bits. */
export function generatePassword(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  // 228 is the largest multiple of 57 below 256: no letter is likelier than another.
  const bytes = [...randomBytes(64)].filter((byte) => byte < 228).slice(0, 22);
  if (bytes.length < 22) return generatePassword();
  return bytes.map((byte) => alphabet[byte % alphabet.length]).join('');
}
