import type { webcrypto } from 'node:crypto';
import { errors, jwtVerify } from 'jose';

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
