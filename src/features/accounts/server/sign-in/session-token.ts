import type { TokenPayload } from '#features/accounts/accounts.contract.ts';
import type { Context } from '#server/runtime/context.ts';
import type { UserRow } from '../accounts.queries.ts';

/**
 * Signs a session token that is believed from now on. Where the user's password changed within this very second the
 * token is dated by the second from which tokens are believed.
 * @param user locked until the end of the transaction: a token dated after a later change would survive it
 */
export async function issueToken(context: Context, user: UserRow): Promise<string> {
  // With the first sign-in: of no use to a process that starts.
  const { SignJWT } = await import('jose');
  const iat = Math.max(Math.floor(context.now().getTime() / 1000), user.sessions_valid_from);
  const payload: TokenPayload = {
    sub: String(user.id),
    email: user.email,
    name: user.name,
    superadmin: user.superadmin ? '1' : '0',
    new_user: user.new_user ? '1' : '0',
    company_code: user.company_code,
    iat,
    exp: iat + context.config.SESSION_HOURS * 3600,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(context.jwtSecret));
}
