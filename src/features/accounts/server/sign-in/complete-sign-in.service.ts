import { record } from '#features/audit/server/audit.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { networkOf } from '#server/egress/ip-address.ts';
import type { Context } from '#server/runtime/context.ts';
import type { UserRow } from '../accounts.queries.ts';
import { rememberAddress } from './known-addresses.queries.ts';
import { issueToken } from './session-token.ts';

/** The latest addresses of a user that are known. */
const knownAddresses = 20;

/**
 * Records a completed sign-in, remembers its address, and issues the session token.
 * @param user a user locked until the transaction ends
 * @param how the address of the request; how the user proved who they are, unless by the password alone
 */
export async function completeSignIn(
  context: Context,
  tx: Queryable,
  user: UserRow,
  { ip, by }: { ip: string; by?: 'code' | 'recovery code' | 'single sign-on' },
): Promise<string> {
  await record(
    tx,
    {
      action: 'user.sign-in',
      objectId: user.id,
      companyCode: user.company_code,
      ...(by && { after: { by } }),
    },
    { actor: { id: user.id, email: user.email }, token: null, address: ip },
  );
  await rememberAddress(tx, {
    userId: user.id,
    address: networkOf(ip),
    at: context.now(),
    limit: knownAddresses,
  });
  return issueToken(context, user, { bySingleSignOn: by === 'single sign-on' });
}
