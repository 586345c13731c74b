import type { TokenPayload } from '#features/accounts/accounts.contract.ts';
import type { Context } from '#server/runtime/context.ts';
import type { UserRow } from '../accounts.queries.ts';
import { isSecondFactorDue } from './second-factor-due.ts';

/**
 * Signs a session token. If the user's password changed within this second, the token is dated by the next second, from
 * which tokens are accepted.
 * @param user a user locked until the transaction ends; otherwise the token could survive a later password change
 * @param session whether the session began by a single sign-on, which counts as a second factor
 */
export async function issueToken(
  context: Context,
  user: UserRow,
  { bySingleSignOn = false }: { bySingleSignOn?: boolean | undefined } = {},
): Promise<string> {
  // Loaded at the first sign-in, because it is not needed for the start.
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
    ...(user.role === 'company-admin' && { role: user.role }),
    ...(bySingleSignOn
      ? { sso: '1' }
      : isSecondFactorDue(context.config, user.role, user.second_factor) && { second_factor_due: '1' }),
    exp: iat + context.config.SESSION_HOURS * 3600,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(context.jwtSecret));
}
