import { record } from '#features/audit/server/audit.service.ts';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import type { SsoFailure } from '../../single-sign-on.shared.ts';
import { findUserByEmail, lockUser, type UserRow } from '../accounts.queries.ts';
import { createLinkToken, hashToken } from '../link-token.ts';
import { generatePassword, hashPassword } from '../passwords/passwords.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.service.ts';
import { admitUser } from './admit-user.service.ts';
import { type Identity, readEmail, readIdentity } from './identity.ts';
import { findOidcSettings, type OidcSettings } from './oidc-settings.ts';
import type { Claims, Flow } from './provider.ts';
import { insertSsoCode, takeSsoCode } from './single-sign-on.queries.ts';

const codeLifetimeMs = 60_000;

/** @throws AppError 404 without single sign-on */
export function requireOidcSettings({ config }: Context): OidcSettings {
  const settings = findOidcSettings(config);
  if (settings) return settings;
  throw new AppError(404, 'no_single_sign_on', m.server_no_single_sign_on);
}

const callbackOf = ({ publicUrl }: Context) => `${publicUrl}/api/auth/oidc/callback`;

/** @returns the provider's address and what the browser keeps; 'unavailable' when the provider does not answer */
export async function startSingleSignOn(
  context: Context,
  settings: OidcSettings,
): Promise<{ url: URL; flow: Flow } | 'unavailable'> {
  try {
    const { beginFlow } = await import('./provider.ts');
    return await beginFlow(settings, callbackOf(context));
  } catch (error) {
    return logFailure(context, error);
  }
}

/**
 * Completes a single sign-on.
 * @param search the query string with which the provider sent the browser back
 * @param flow what the browser has kept since it began
 * @returns a one-time code for `redeemCode`, or why there is none
 */
export async function finishSingleSignOn(
  context: Context,
  settings: OidcSettings,
  search: string,
  flow: Flow | undefined,
): Promise<{ code: string } | SsoFailure> {
  const address = new URL(`${callbackOf(context)}${search}`);
  const { searchParams: params } = address;
  if (!flow || params.get('state') !== flow.state) return 'expired';
  if (params.has('error')) return params.get('error') === 'access_denied' ? 'cancelled' : 'unavailable';
  const { OIDC_COMPANY_CLAIM: companyClaim } = context.config;
  const claimNames = ['email', 'email_verified', ...(companyClaim ? [companyClaim] : [])];
  let claims: Claims;
  try {
    const { finishFlow } = await import('./provider.ts');
    claims = await finishFlow(settings, address, flow, claimNames);
  } catch (error) {
    return logFailure(context, error);
  }
  const identity = readIdentity(claims, companyClaim);
  if (identity) return createCode(context, identity);
  await recordRefusal(context.db, undefined, { email: readEmail(claims) });
  return 'unverified';
}

/** Creates a one-time code for the user of a person. Deactivated and other unknown people are refused. */
async function createCode(context: Context, identity: Identity): Promise<{ code: string } | 'refused'> {
  const { db, now } = context;
  const existingUser = await findUserByEmail.first(db, { email: identity.email });
  const passwordHash = existingUser ? '' : await hashPassword(generatePassword());
  return inTransaction(db, async (tx) => {
    const user = await admitUser(context, tx, identity, passwordHash);
    if (!user?.active) {
      await recordRefusal(tx, user, { email: identity.email, known_account: user !== undefined });
      return 'refused' as const;
    }
    const { token, tokenHash } = createLinkToken();
    const ssoCode = {
      codeHash: tokenHash,
      userId: user.id,
      expiresAt: new Date(now().getTime() + codeLifetimeMs),
      sessionsValidFrom: user.sessions_valid_from,
    };
    await insertSsoCode(tx, ssoCode, now());
    return { code: token };
  });
}

async function recordRefusal(
  tx: Queryable,
  user: UserRow | undefined,
  about: { email: string; known_account?: boolean },
): Promise<void> {
  await record(tx, {
    action: 'user.sign-in-refused',
    objectId: user?.id ?? null,
    companyCode: user?.company_code ?? null,
    after: { ...about, by: 'single sign-on' },
  });
}

/**
 * Exchanges a one-time code for a session. The provider's sign-in counts as the second factor, too.
 * @param ip the address of the request
 * @returns the session token
 * @throws AppError 401 for a code that is unknown, used or expired
 */
export async function redeemCode(context: Context, code: string, ip: string): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    const ssoCode = await takeSsoCode.first(tx, { codeHash: hashToken(code), at: context.now() });
    const user = ssoCode && (await lockUser.first(tx, { id: ssoCode.user_id }));
    if (!user?.active || user.sessions_valid_from !== ssoCode?.sessions_valid_from) {
      throw new AppError(401, 'code_invalid', m.server_single_sign_on_expired);
    }
    return completeSignIn(context, tx, user, { ip, by: 'single sign-on' });
  });
}

function logFailure({ log }: Context, error: unknown): 'unavailable' {
  const { name, message, code } = error as Error & { code?: string };
  log.warn({ name, reason: message, code }, 'the identity provider could not be used');
  return 'unavailable';
}
