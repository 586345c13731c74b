import type { Authenticate } from '#server/http/access.ts';
import { AppError, type Text } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { findCaller } from '../accounts.queries.ts';
import { sessionEnded } from './session.service.ts';
import { verifyToken } from './verify-token.ts';

function refuse(code: string, text: Text): AppError {
  return new AppError(401, code, text);
}

const invalidFormat = () => refuse('token_invalid', (locale) => m.server_token_format({}, { locale }));
const expired = () => refuse('token_expired', (locale) => m.server_token_expired({}, { locale }));

/**
 * Returns a function that finds the caller behind a request's Bearer token. The token is valid, its user exists, and
 * the password has not changed since. Role and company come from the database, not from the token.
 */
export function createAuthenticate(context: Context): Authenticate {
  const secret = new TextEncoder().encode(context.jwtSecret);
  return async (request) => {
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    if (scheme?.toLowerCase() !== 'bearer' || !token) return undefined;
    const claims = await verifyToken(secret, token, context.now());
    if (claims === 'malformed') throw invalidFormat();
    if (claims === 'expired') throw expired();
    const { sub, iat } = claims;
    if (!/^\d{1,15}$/.test(sub)) throw sessionEnded();
    const found = await findCaller(context.db, Number(sub));
    if (!found || iat < found.sessionsValidFrom) throw sessionEnded();
    return { ...found.caller, issuedAt: iat };
  };
}
