import { errors, jwtVerify } from 'jose';
import type { Authenticate } from '#server/access.ts';
import type { Context } from '#server/context.ts';
import { AppError, type Text } from '#server/errors.ts';
import { m } from '#shared/texts/messages.js';
import { findCaller } from './accounts.queries.ts';

function refuse(code: string, text: Text): AppError {
  return new AppError(401, code, text);
}

const invalidFormat = () => refuse('token_invalid', (locale) => m.server_token_format({}, { locale }));
const expired = () => refuse('token_expired', (locale) => m.server_token_expired({}, { locale }));
const ended = () => refuse('session_ended', (locale) => m.server_session_ended({}, { locale }));

/**
 * Believes a request's Bearer token: three parts, HS256, not expired, its user still there, and not older than that
 * user's last password change. Role and company come from the database, not from the token.
 */
export function createAuthenticate(context: Context): Authenticate {
  const key = new TextEncoder().encode(context.jwtSecret);
  return async (request) => {
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    if (scheme?.toLowerCase() !== 'bearer' || !token) return undefined;
    if (token.split('.').length !== 3) throw invalidFormat();
    const payload = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      currentDate: context.now(),
      requiredClaims: ['sub', 'exp', 'iat'],
    }).then(
      (verified) => verified.payload,
      (error: unknown) => {
        throw error instanceof errors.JWTExpired ? expired() : invalidFormat();
      },
    );
    if (!/^\d{1,15}$/.test(payload.sub ?? '')) throw ended();
    const found = await findCaller(context.db, Number(payload.sub));
    if (!found || (payload.iat ?? 0) < found.sessionsValidFrom) throw ended();
    return { ...found.caller, expiresAt: payload.exp ?? 0 };
  };
}
