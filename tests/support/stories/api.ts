import { randomBytes } from 'node:crypto';
import { readStage } from './stage.ts';

export type Account = { name: string; email: string; password: string; companyCode: string | null };

/** Calls the real API. @throws when it refuses */
export async function call<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const response = await fetch(`${readStage().url}/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}

export async function signInByApi({ email, password }: { email: string; password: string }): Promise<string> {
  return (await call<{ token: string }>('POST', '/auth/login', { email, password })).token;
}

const tokens = new Map<string, string>();

/** A token for calls beside the story: an account signs in once for all of them, since checking a password is dear. */
export async function tokenOf(account: { email: string; password: string }): Promise<string> {
  const key = JSON.stringify([account.email, account.password]);
  const token = tokens.get(key) ?? (await signInByApi(account));
  tokens.set(key, token);
  return token;
}

/** The superadmin that the product was started with. */
export function admin(): Account {
  return { name: 'Administrator', ...readStage().admin, companyCode: null };
}

/**
 * A standard user of a company of their own, so that no test sees another's tickets.
 * @param keepNew leaves the user as registered: the password has to be changed at the first sign-in
 */
export async function makeUser({ keepNew = false, company = 'Acme' } = {}): Promise<Account> {
  const token = await tokenOf(admin());
  const mark = randomBytes(4).toString('hex');
  const { client } = await call<{ client: { company_code: string } }>(
    'POST',
    '/clients',
    { company_name: `${company} ${mark}` },
    token,
  );
  const first = `first-${mark}`;
  const user = {
    name: `Tester ${mark}`,
    email: `tester-${mark}@example.com`,
    companyCode: client.company_code,
  };
  await call(
    'POST',
    '/auth/register',
    { name: user.name, email: user.email, password: first, superadmin: '0', company_code: user.companyCode },
    token,
  );
  if (keepNew) return { ...user, password: first };
  const own = await signInByApi({ email: user.email, password: first });
  const password = `second-${mark}`;
  await call('POST', '/auth/change-password', { currentPassword: first, newPassword: password }, own);
  return { ...user, password };
}
