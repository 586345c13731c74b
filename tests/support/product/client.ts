import { randomUUID } from 'node:crypto';

/** A caller of a running product, signed in or not. */
export type Client = { url: string; token?: string };

/** A caller who is signed in. */
export type Session = { url: string; token: string };

/** Calls the API with JSON. @throws Error if the call is refused */
export async function callApi<T>(
  { url, token }: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return readAnswer<T>(response, `${method} ${path}`);
}

/** Signs in. @returns a caller with a session */
export async function signInAs(url: string, email: string, password: string): Promise<Session> {
  const { token } = await callApi<{ token: string }>({ url }, 'POST', '/auth/login', { email, password });
  return { url, token };
}

/** Creates a company. @param admin a superadmin's session @returns its code */
export async function makeCompany(admin: Client, name: string): Promise<string> {
  const { client } = await callApi<{ client: { company_code: string } }>(admin, 'POST', '/clients', {
    company_name: name,
  });
  return client.company_code;
}

/** The account of a standard user. */
export type UserAccount = { name: string; email: string; password: string; companyCode: string };

/**
 * Creates a user without a due password change.
 * @param admin a superadmin's session
 * @param name the name of the user, and of a new company unless `company` is a company code
 */
export async function makeStandardUser(
  admin: Client,
  name: string,
  company?: string,
): Promise<Session & { account: UserAccount }> {
  const registered = await registerUser(admin, name, company);
  const first = await signInAs(admin.url, registered.email, registered.password);
  const account = { ...registered, password: 'the second one' };
  const change = { currentPassword: registered.password, newPassword: account.password };
  const { token } = await callApi<{ token: string }>(first, 'POST', '/auth/change-password', change);
  return { url: admin.url, token, account };
}

/** Registers a user who must change the password at the first sign-in. The parameters are the same. */
export async function registerUser(admin: Client, name: string, company?: string): Promise<UserAccount> {
  const companyCode = company ?? (await makeCompany(admin, name));
  const account = { name, email: `${randomUUID()}@example.com`, password: 'the first one', companyCode };
  const { email, password } = account;
  const user = { name, email, password, superadmin: '0', company_code: companyCode };
  await callApi(admin, 'POST', '/auth/register', user);
  return account;
}

/** Uploads a workbook as the Upload screen does, into an order if one is given. */
export async function uploadWorkbook(
  { url, token }: Session,
  content: Uint8Array<ArrayBuffer>,
  order?: string,
  fields?: Record<string, string>,
): Promise<{ imported_count: number; ticket: { _id: string; ticket_number: string } }> {
  const form = new FormData();
  if (order !== undefined) form.append('ticket_number', order);
  if (fields) form.append('fields', JSON.stringify(fields));
  form.append('excel', new Blob([content]), 'serials.xlsx');
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
  return readAnswer(await fetch(`${url}/api/data/upload`, { method: 'POST', headers, body: form }), 'upload');
}

async function readAnswer<T>(response: Response, what: string): Promise<T> {
  const answer = await response.json();
  if (!response.ok) throw new Error(`${what}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}
