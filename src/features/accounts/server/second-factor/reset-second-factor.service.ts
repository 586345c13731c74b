import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { endSessions } from '../users/users.queries.ts';
import { requireLockedUser } from '../users/users.service.ts';
import { removeSecondFactor } from './second-factor.service.ts';

/**
 * Removes the second factor of another user who lost it, and ends the user's sessions.
 * @throws AppError 401, 404 for an unknown user or one without a second factor, 409 for the caller, whose own needs the
 * password
 */
export async function resetSecondFactor({ db, now }: Context, caller: Caller, id: number): Promise<void> {
  if (id === caller.id) {
    throw new AppError(409, 'own_second_factor', m.server_own_second_factor);
  }
  await changeAs(db, caller, async (tx) => {
    const user = await requireLockedUser(tx, caller, id);
    if (!user.second_factor) {
      throw new AppError(404, 'no_second_factor', m.server_user_no_second_factor);
    }
    await removeSecondFactor(tx, user, 'superadmin');
    await endSessions.one(tx, { id, nowSeconds: Math.floor(now().getTime() / 1000) });
  });
}
