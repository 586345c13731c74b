import { record } from '#features/audit/server/audit.service.ts';
import { companyUnusable, lockActiveCompany } from '#features/clients/server/clients.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import type { UserChange, UserEntry } from '../../users.contract.ts';
import { deleteInvitationsOf } from '../invitations/invitations.queries.ts';
import { recordInvitation } from '../invitations/record-invitation.ts';
import { endResetLinks } from '../passwords/password-resets.queries.ts';
import { deleteTokensOf } from '../tokens/tokens.queries.ts';
import { endSessions, hasOtherSuperadmin, type UserEntryRow, updateUserRow } from './users.queries.ts';
import { describeUserEntry, requireLockedUser } from './users.service.ts';

const changeable = ['first_name', 'last_name', 'company_code', 'role', 'active'] as const;
type Changeable = Pick<UserEntryRow, (typeof changeable)[number]>;

/**
 * Updates a user (docs/rules.md, Accounts). Another role, company or state ends the user's sessions, API tokens and links at
 * once, and withdraws the invitations that the user has made, unless the user is a superadmin from then on.
 * @throws AppError 400 naming `company_code`, 401, 403 for a change that the caller's role does not allow, 404, 409 for
 * the last active superadmin and for the caller's own role, company or state
 */
export async function updateUser(
  context: Context,
  caller: Caller,
  id: number,
  change: UserChange,
): Promise<UserEntry> {
  return changeAs(context.db, caller, async (tx) => {
    // The company, then the user, as a registration locks them. The other order leads to deadlocks with the deletion of
    // the company and changes of its webhooks, which lock the caller last.
    const isActiveCompany =
      change.company_code !== undefined && (await lockActiveCompany(tx, change.company_code));
    const user = await requireLockedUser(tx, caller, id);
    const updated = {
      ...user,
      first_name: change.first_name ?? user.first_name,
      last_name: change.last_name ?? user.last_name,
      company_code: change.company_code ?? user.company_code,
      role: change.role ?? user.role,
      active: change.active ?? user.active,
    };
    const changed = changeable.filter((field) => updated[field] !== user[field]);
    if (caller.role === 'company-admin') requireWithinCompany(caller, updated);
    const endsRights = changed.some(
      (field) => field === 'company_code' || field === 'role' || field === 'active',
    );
    if (endsRights && id === caller.id) throw ownRights();
    await requireSuperadminLeft(tx, user, updated);
    requireCompany(user, updated, isActiveCompany);
    if (changed.length > 0) {
      await updateUserRow.run(tx, { ...updated, id });
      const pick = (from: Changeable) => Object.fromEntries(changed.map((field) => [field, from[field]]));
      await record(tx, {
        action: 'user.update',
        objectId: id,
        companyCode: user.company_code,
        before: pick(user),
        after: pick(updated),
      });
    }
    if (endsRights) {
      const now = context.now();
      await endSessions.one(tx, { id, nowSeconds: Math.floor(now.getTime() / 1000) });
      await endResetLinks.run(tx, { userId: id, at: now });
      await deleteTokensOf.run(tx, { userId: id });
      const mayInviteAnybody = updated.active && updated.role === 'superadmin';
      if (!mayInviteAnybody) await withdrawInvitations(tx, id);
    }
    return describeUserEntry(updated);
  });
}

async function withdrawInvitations(tx: Queryable, inviter: number): Promise<void> {
  for (const invitation of await deleteInvitationsOf.all(tx, { inviter }))
    await recordInvitation(tx, 'user.invite-withdrawn', invitation);
}

/** @throws AppError 403 for another company, or the role superadmin */
export function requireWithinCompany(
  caller: Caller,
  { role, company_code }: Pick<UserEntryRow, 'role' | 'company_code'>,
): void {
  if (role !== 'superadmin' && company_code === caller.companyCode) return;
  throw new AppError(403, 'own_company_only', m.server_own_company_only);
}

function ownRights(): AppError {
  return new AppError(409, 'own_rights', m.server_own_rights);
}

/** @throws AppError 409 when a change would leave no active superadmin */
async function requireSuperadminLeft(tx: Queryable, user: UserEntryRow, updated: Changeable): Promise<void> {
  const isActiveSuperadmin = (one: Changeable) => one.active && one.role === 'superadmin';
  if (!isActiveSuperadmin(user) || isActiveSuperadmin(updated)) return;
  if (await hasOtherSuperadmin(tx, user.id)) return;
  throw new AppError(409, 'last_superadmin', m.server_last_superadmin);
}

/** @throws AppError 400 when a user moves to a company that is unknown or Inactive, or would have none */
function requireCompany(user: UserEntryRow, { company_code, role }: Changeable, isActive: boolean): void {
  if (company_code !== null && company_code !== user.company_code && !isActive) throw companyUnusable();
  if (company_code === null && role !== 'superadmin') {
    throw invalidField('company_code', m.server_select_company);
  }
}
