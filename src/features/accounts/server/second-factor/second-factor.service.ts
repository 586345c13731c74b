import { record } from '#features/audit/server/audit.service.ts';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs, requireSession } from '#server/http/caller-rights.ts';
import { AppError, invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { findUserById, lockUserForChange, type UserRow } from '../accounts.queries.ts';
import { requireOwnPassword } from '../passwords/own-password.service.ts';
import { issueToken } from '../sign-in/session-token.ts';
import { endSessions } from '../users/users.queries.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import { takeAppCode } from './second-factor-code.service.ts';
import {
  countRecoveryCodes,
  deleteSecretOf,
  setSecondFactor,
  storeRecoveryCodes,
  storeSecret,
} from './second-factors.queries.ts';
import { createTotpSecret } from './totp.ts';

/** Reads whether the caller has a second factor or must have one, and the number of unused recovery codes. */
export async function readSecondFactor({ db, config }: Context, caller: Caller) {
  const [user, { count: codes }] = await Promise.all([
    findUserById.first(db, { id: caller.id }),
    countRecoveryCodes.one(db, { userId: caller.id }),
  ]);
  return {
    active: user?.second_factor ?? false,
    required: config.SECOND_FACTOR_ROLES.includes(caller.role),
    recovery_codes: codes,
  };
}

/**
 * Creates the secret of the caller's second factor. It replaces one that was not confirmed.
 * @throws AppError 401, 409 when the caller has a second factor
 */
export async function startSecondFactor(
  { db }: Context,
  caller: Caller,
): Promise<{ secret: string; uri: string }> {
  const { sealed, ...shown } = await createTotpSecret(caller.email);
  await changeAs(db, caller, async (tx) => {
    await lockWithout(tx, caller);
    await storeSecret.run(tx, { userId: caller.id, sealed });
  });
  return shown;
}

/**
 * Activates the caller's second factor by a code of its secret, which is used up. Every other session of the caller ends:
 * it began without a code.
 * @returns the recovery codes, of which only hashes are stored, and a fresh token
 * @throws AppError 400 for a wrong code, 401, 409 when the caller has a second factor
 */
export async function confirmSecondFactor(
  context: Context,
  caller: Caller,
  code: string,
): Promise<{ recovery_codes: string[]; token: string }> {
  const codes = createRecoveryCodes();
  return inTransaction(context.db, async (tx) => {
    const user = await lockWithout(tx, caller);
    if (!(await takeAppCode(tx, caller.id, code.replaceAll(/\s/g, ''), context.now()))) throw wrongCode();
    await storeRecoveryCodes(tx, caller.id, codes.map(hashRecoveryCode));
    await setSecondFactor.run(tx, { userId: caller.id, active: true });
    await record(tx, {
      action: 'user.second-factor',
      objectId: caller.id,
      companyCode: caller.companyCode,
      before: { second_factor: false },
      after: { second_factor: true },
    });
    return {
      recovery_codes: codes,
      token: await continueAlone(context, tx, caller, { ...user, second_factor: true }),
    };
  });
}

/**
 * Removes the caller's second factor. Every other session of the caller ends.
 * @returns a fresh token
 * @throws AppError 400 for a wrong password, 401, 404 without a second factor, 429 after too many wrong passwords
 */
export async function deleteSecondFactor(
  context: Context,
  caller: Caller,
  password: string,
): Promise<string> {
  await requireOwnPassword(context, caller, { password, field: 'password' });
  return inTransaction(context.db, async (tx) => {
    const user = await lockUserForChange.first(tx, { id: caller.id });
    if (!user?.second_factor) {
      throw new AppError(404, 'no_second_factor', m.server_no_second_factor);
    }
    await removeSecondFactor(tx, user, 'user');
    return continueAlone(context, tx, caller, { ...user, second_factor: false });
  });
}

/** Ends every session of the locked caller. @returns a fresh token @throws AppError 401 */
async function continueAlone(
  context: Context,
  tx: Queryable,
  caller: Caller,
  user: UserRow,
): Promise<string> {
  await requireSession(tx, caller);
  const nowSeconds = Math.floor(context.now().getTime() / 1000);
  const { sessions_valid_from } = await endSessions.one(tx, { id: caller.id, nowSeconds });
  return issueToken(context, { ...user, sessions_valid_from }, caller);
}

/** Removes the second factor of a user locked by `lockUserForChange`. */
export async function removeSecondFactor(
  tx: Queryable,
  user: Pick<UserRow, 'id' | 'company_code'>,
  by: 'user' | 'operator' | 'superadmin',
): Promise<void> {
  await setSecondFactor.run(tx, { userId: user.id, active: false });
  await deleteSecretOf(tx, user.id);
  await record(tx, {
    action: 'user.second-factor-removed',
    objectId: user.id,
    companyCode: user.company_code,
    before: { second_factor: true },
    after: { second_factor: false, by },
  });
}

/** Locks the caller, who must not have a second factor. @throws AppError 409 */
async function lockWithout(tx: Queryable, caller: Caller): Promise<UserRow> {
  const user = await lockUserForChange.first(tx, { id: caller.id });
  if (user && !user.second_factor) return user;
  throw new AppError(409, 'second_factor_active', m.server_second_factor_active);
}

function wrongCode(): AppError {
  return invalidField('code', m.server_code_wrong);
}
