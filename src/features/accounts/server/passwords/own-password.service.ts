import { record } from '#features/audit/server/audit.service.ts';
import type { Caller } from '#server/http/caller.ts';
import { type AppError, invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { findUserById, type UserRow } from '../accounts.queries.ts';
import { limitGuesses, onlyThePair } from '../sign-in/guess-limits.ts';
import { verifyPassword } from './passwords.ts';

/** Returns the error for a wrong current password in a field: 400. */
export function wrongPassword(field: string): AppError {
  return invalidField(field, m.server_current_password_wrong, 'wrong_password');
}

/**
 * Checks that the caller knows the own password.
 * @throws AppError 400 naming `field` for a wrong password; 429 after too many attempts
 */
export async function requireOwnPassword(
  context: Context,
  caller: Caller,
  { password, field }: { password: string; field: string },
): Promise<UserRow> {
  const user = await findUserById.first(context.db, { id: caller.id });
  const account = `change-password ${caller.id}`;
  // A stolen session must not be used to guess the password, from any address.
  const verified = await limitGuesses(context, {
    pair: { account, address: '' },
    limits: onlyThePair(context.config.LOGIN_ATTEMPTS),
    verify: () => verifyPassword(user?.password_hash, password, account),
    async settle(tx, right) {
      if (right && user) return user;
      const companyCode = user?.company_code ?? null;
      await record(tx, { action: 'user.password-refused', objectId: caller.id, companyCode });
      return undefined;
    },
    refusal: (wait, locale) => m.server_too_many_passwords({ wait }, { locale }),
  });
  if (!verified) throw wrongPassword(field);
  return verified;
}
