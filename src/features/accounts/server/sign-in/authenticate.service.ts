import type { webcrypto } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import type { Authenticate } from '#server/http/access.ts';
import type { Caller } from '#server/http/caller.ts';
import { sessionEnded } from '#server/http/caller-rights.ts';
import { AppError, type Text } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { type CallerRecord, findCaller } from '../accounts.queries.ts';
import { hashToken } from '../link-token.ts';
import { findToken, noteTokenUse } from '../tokens/tokens.queries.ts';
import { tokenPrefix } from '../tokens/tokens.service.ts';
import { isSecondFactorDue } from './second-factor-due.ts';

function refuse(code: string, text: Text): AppError {
  return new AppError(401, code, text);
}

const invalidFormat = () => refuse('token_invalid', m.server_token_format);
const unknownToken = () => refuse('api_token_invalid', m.server_api_token_invalid);
const expired = () => refuse('token_expired', m.server_token_expired);

const minuteMs = 60_000;

/**
 * Returns a function that finds the caller behind a request's Bearer token: an API token, or the token of a session whose
 * user has not changed the password since. Role and company come from the database, not from the token.
 */
export function createAuthenticate(context: Context): Authenticate {
  const secret = importSecret(context.jwtSecret);
  return async (request) => {
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    if (scheme?.toLowerCase() !== 'bearer' || !token) return undefined;
    if (token.startsWith(tokenPrefix)) return findProgram(context, token);
    const claims = await verifyToken(await secret, token, context.now());
    if (claims === 'malformed') throw invalidFormat();
    if (claims === 'expired') throw expired();
    const { sub, iat } = claims;
    const bySingleSignOn = claims.sso === '1';
    if (!/^\d{1,15}$/.test(sub)) throw sessionEnded();
    const record = await findCaller(context.db, Number(sub));
    if (!record || iat < record.sessionsValidFrom) throw sessionEnded();
    const secondFactorDue = !bySingleSignOn && isDue(context, record);
    return { ...record.caller, secondFactorDue, bySingleSignOn, issuedAt: iat };
  };
}

function isDue({ config }: Context, { caller, hasSecondFactor }: CallerRecord): boolean {
  return isSecondFactorDue(config, caller.role, hasSecondFactor);
}

/** @throws AppError 401 for an API token that is unknown, revoked or expired, or whose owner was deactivated */
async function findProgram(context: Context, token: string): Promise<Caller> {
  const { db, now } = context;
  const at = now();
  const tokenRow = await findToken.first(db, { tokenHash: hashToken(token), at });
  const owner = tokenRow && (await findCaller(db, tokenRow.user_id));
  if (!tokenRow || !owner) throw unknownToken();
  const { id, name, scope, created_at, last_used } = tokenRow;
  // A write for every call would cost more than most calls.
  if (!last_used || at.getTime() - last_used.getTime() >= minuteMs) await noteTokenUse.run(db, { id, at });
  return {
    ...owner.caller,
    secondFactorDue: isDue(context, owner),
    issuedAt: Math.floor(created_at.getTime() / 1000),
    apiToken: { id, name, scope },
  };
}

/** The verified claims of a session token; `iat` and `exp` in seconds. `sso` is '1' after a single sign-on. */
export type TokenClaims = { sub: string; iat: number; exp: number; sso?: unknown };

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/** Imports the secret of session tokens once, because the library would import its bytes for each token. */
export function importSecret(secret: string): Promise<webcrypto.CryptoKey> {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
}

/**
 * Verifies a session token: HS256, with `sub`, `iat` and `exp`, not expired.
 * @param now the present time
 */
export async function verifyToken(
  secret: webcrypto.CryptoKey,
  token: string,
  now: Date,
): Promise<TokenClaims | 'malformed' | 'expired'> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      currentDate: now,
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    return payload as TokenClaims;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JOSEError) return 'malformed';
    throw error;
  }
}
