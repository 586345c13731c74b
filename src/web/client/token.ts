/** The signed-in user, as in the token's payload. */
export type SessionUser = {
  email: string;
  name: string;
  superadmin: boolean;
  /** A user who also manages the users of the company. */
  companyAdmin: boolean;
  newUser: boolean;
  /** Whether the role must have a second factor, and the user has not set it up. */
  secondFactorDue: boolean;
  companyCode: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
};

/** The reason why a token cannot be used: it has not three readable parts, or has expired. */
export type TokenProblem = 'format' | 'expired';

function readPayload(part: string): Record<string, unknown> | null {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const payload: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof payload === 'object' ? (payload as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * Reads a session token (docs/rules.md, Sessions). Does not check its signature, which the server does.
 * @param now milliseconds since 1970
 */
export function readToken(token: string, now: number): SessionUser | TokenProblem {
  const parts = token.split('.');
  const payload = parts.length === 3 ? readPayload(parts[1] ?? '') : null;
  if (payload === null || typeof payload.exp !== 'number') return 'format';
  if (payload.exp * 1000 <= now) return 'expired';
  return {
    email: textOf(payload.email),
    name: textOf(payload.name),
    superadmin: payload.superadmin === '1',
    companyAdmin: payload.role === 'company-admin',
    newUser: payload.new_user === '1',
    secondFactorDue: payload.second_factor_due === '1',
    companyCode: typeof payload.company_code === 'string' ? payload.company_code : null,
    expiresAt: payload.exp * 1000,
  };
}
