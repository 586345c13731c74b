import type { Queryable } from '#server/db/db.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { lockSecret, noteStep, takeRecoveryCode } from './second-factors.queries.ts';
import { findStep } from './totp.ts';

/**
 * Uses up a code of the app. Each counts once: the row lock orders concurrent uses, also of several processes.
 * @returns whether the code was right and unused
 */
export async function takeAppCode(tx: Queryable, userId: number, code: string, now: Date): Promise<boolean> {
  const stored = await lockSecret.first(tx, { userId });
  const step = stored && (await findStep(stored.secret, code, now));
  if (step === undefined || step <= (stored?.last_step ?? 0)) return false;
  await noteStep.run(tx, { userId, step });
  return true;
}

/**
 * Uses up a code of the app or a recovery code.
 * @returns the kind of the code; undefined for a wrong or used one
 */
export async function takeCode(
  tx: Queryable,
  userId: number,
  code: string,
  now: Date,
): Promise<'code' | 'recovery code' | undefined> {
  const digits = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) return (await takeAppCode(tx, userId, digits, now)) ? 'code' : undefined;
  return (await takeRecoveryCode(tx, userId, hashRecoveryCode(code))) ? 'recovery code' : undefined;
}
