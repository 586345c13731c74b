import { randomBytes } from 'node:crypto';
import {
  callApi,
  makeStandardUser,
  registerUser,
  signInAs,
  type UserAccount,
} from '#tests/support/product/client.ts';
import { readStage } from './stage.ts';

export type Account = Omit<UserAccount, 'companyCode'> & { companyCode: string | null };

/** Calls the real API. @throws if it refuses the call */
export function call<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  return callApi<T>({ url: readStage().url, ...(token && { token }) }, method, path, body);
}

/** Signs in again, to show that the account can. */
export async function signInByApi({ email, password }: { email: string; password: string }): Promise<string> {
  return (await signInAs(readStage().url, email, password)).token;
}

const tokens = new Map<string, string>();
const keyOf = ({ email, password }: { email: string; password: string }) => JSON.stringify([email, password]);

/** Returns a token of an account, which signs in once for all calls, because checking a password is slow. */
export async function tokenOf(account: { email: string; password: string }): Promise<string> {
  const token = tokens.get(keyOf(account)) ?? (await signInByApi(account));
  tokens.set(keyOf(account), token);
  return token;
}

/** The superadmin that the product was started with. */
export function admin(): Account {
  return { name: 'Administrator', ...readStage().admin, companyCode: null };
}

/**
 * Creates a standard user with a company of their own, so that no test sees another's tickets.
 * @param keepNew leaves the user as registered: the password has to be changed at the first sign-in
 */
export async function makeUser({ keepNew = false, company = 'Acme' } = {}): Promise<UserAccount> {
  const session = { url: readStage().url, token: await tokenOf(admin()) };
  const name = `${company} ${randomBytes(4).toString('hex')}`;
  if (keepNew) return registerUser(session, name);
  const { account, token } = await makeStandardUser(session, name);
  tokens.set(keyOf(account), token);
  return account;
}

/** Creates an administrator of an account's company. */
export async function makeAdministrator({ companyCode }: Account): Promise<Account> {
  const token = await tokenOf(admin());
  const name = `Administrator ${randomBytes(4).toString('hex')}`;
  const { account } = await makeStandardUser({ url: readStage().url, token }, name, String(companyCode));
  type Users = { data: { _id: string }[] };
  const { data } = await call<Users>('GET', `/users?q=${account.email}`, undefined, token);
  // This ends the session of the new account.
  await call('PATCH', `/users/${data[0]?._id}`, { role: 'company-admin' }, token);
  return account;
}

/** Makes an account's company Inactive. */
export async function deactivateCompany({ companyCode }: Account): Promise<void> {
  const token = await tokenOf(admin());
  type Companies = { data: { _id: string; company_code: string }[] };
  const { data } = await call<Companies>('GET', '/clients?limit=1000', undefined, token);
  const company = data.find((found) => found.company_code === companyCode);
  await call('PUT', `/clients/status/${company?._id}`, { status: '0' }, token);
}
