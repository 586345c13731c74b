import { randomUUID } from 'node:crypto';

/** A caller of a running product, signed in or not. */
export type Client = { url: string; token?: string };

/** A caller who is signed in. */
export type Session = { url: string; token: string };

/** Calls the API with JSON. @throws when it refuses */
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

/** Makes a company. @param admin a superadmin's session @returns its code */
export async function makeCompany(admin: Client, name: string): Promise<string> {
  const { client } = await callApi<{ client: { company_code: string } }>(admin, 'POST', '/clients', {
    company_name: name,
  });
  return client.company_code;
}

/**
 * Makes a user who may work at once, of a company of the same name.
 * @param admin a superadmin's session
 * @param company the code of another company
 */
export async function makeStandardUser(admin: Client, name: string, company?: string): Promise<Session> {
  const companyCode = company ?? (await makeCompany(admin, name));
  const email = `${randomUUID()}@example.com`;
  const user = { name, email, password: 'the first one', superadmin: '0', company_code: companyCode };
  await callApi(admin, 'POST', '/auth/register', user);
  const first = await signInAs(admin.url, email, user.password);
  const change = { currentPassword: user.password, newPassword: 'the second one' };
  const { token } = await callApi<{ token: string }>(first, 'POST', '/auth/change-password', change);
  return { url: admin.url, token };
}

/** Uploads a workbook as the Upload screen does, into an order where one is named. */
export async function uploadWorkbook(
  { url, token }: Session,
  content: Uint8Array<ArrayBuffer>,
  order?: string,
): Promise<{ imported_count: number; ticket: { ticket_number: string } }> {
  const form = new FormData();
  if (order !== undefined) form.append('ticket_number', order);
  form.append('excel', new Blob([content]), 'serials.xlsx');
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
  return readAnswer(await fetch(`${url}/api/data/upload`, { method: 'POST', headers, body: form }), 'upload');
}

async function readAnswer<T>(response: Response, what: string): Promise<T> {
  const answer = await response.json();
  if (!response.ok) throw new Error(`${what}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}
