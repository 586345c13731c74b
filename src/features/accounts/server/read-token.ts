import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** What a believed token says, as far as the server asks. */
export type TokenClaims = { sub: unknown; iat: number; exp: number };

/**
 * Reads a session token: HS256 over header and payload, `sub`, `iat` and `exp` there, not expired. By hand, since a library
 * does the same by WebCrypto, which takes longer than all else that most calls do.
 * @param now the present second
 */
export function readToken(key: KeyObject, token: string, now: number): TokenClaims | 'malformed' | 'expired' {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  if (more.length > 0) return 'malformed';
  const expected = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url');
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, Buffer.from(expected))) return 'malformed';
  const head = parse(header);
  if (head?.alg !== 'HS256' || head.crit !== undefined) return 'malformed';
  const claims = parse(payload);
  if (!claims || claims.sub === undefined) return 'malformed';
  const { sub, iat, exp, nbf = now } = claims;
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof nbf !== 'number') return 'malformed';
  if (nbf > now) return 'malformed';
  return exp <= now ? 'expired' : { sub, iat, exp };
}

function parse(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
