import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { InvitationRow } from './invitations.queries.ts';

/** Records an action about an invitation. The invited have no `_id` yet, so entries name them by their email address. */
export async function recordInvitation(
  tx: Queryable,
  action: 'user.invite' | 'user.invite-again' | 'user.invite-withdrawn',
  { email, first_name, last_name, role, company_code }: InvitationRow,
): Promise<void> {
  const values = { email, first_name, last_name, role };
  await record(tx, {
    action,
    objectId: email,
    companyCode: company_code,
    ...(action === 'user.invite-withdrawn' ? { before: values } : { after: values }),
  });
}
