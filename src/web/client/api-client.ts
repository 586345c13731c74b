import type { Answer, Endpoint, Input, Query } from '#shared/endpoint.ts';
import { ungroupFields } from '#shared/field-parameters.ts';
import { getLanguage } from '#web/preferences/language.ts';
import { ApiFailure } from './failure.ts';
import { endRefusedSession, getSession, requireSecondFactor } from './session.ts';
import type { SessionUser } from './token.ts';

type CallParts = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** A repeat under the same key gets the first answer. */
  idempotencyKey?: string;
};

type QueryValue<T> = T | (T extends number ? `${number}` : never) | '' | undefined;

/** The input of a call. Parts of its query that are empty are left out. */
export type CallInput<E extends Endpoint> = Omit<Input<E>, 'form' | 'query'> & {
  query?: { [K in keyof Query<E>]?: QueryValue<Query<E>[K]> };
};

/** Returns the URL of a call: with its parameters, and without the empty parts of the query. */
export function urlOf(route: string, { params = {}, query = {} }: CallParts): string {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of ungroupFields(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return `/api${path}${search.size > 0 ? `?${search}` : ''}`;
}

/** Returns the headers of every call: the language and, when signed in, the session's token. */
export function callHeaders(): Record<string, string> {
  const { token } = getSession();
  return { 'accept-language': getLanguage(), ...(token !== null && { authorization: `Bearer ${token}` }) };
}

/**
 * Creates the failure of an answer. A 401 ends the session whose token was sent, and no other. If the user must set up a
 * second factor first, the session notes it.
 */
export function failureOf(status: number, body: unknown, sent: string | undefined): ApiFailure {
  const failure = new ApiFailure(status, body);
  if (status === 401 && sent !== undefined) {
    endRefusedSession(sent.replace('Bearer ', ''), () => failure.message);
  }
  if (failure.code === 'second_factor_required') requireSecondFactor();
  return failure;
}

/** Returns whether a refused call can be sent again, because another tab has renewed the session of its user. */
export function isRenewed(failure: unknown, user: SessionUser | null): boolean {
  return (
    failure instanceof ApiFailure &&
    failure.status === 401 &&
    user !== null &&
    getSession().user?.email === user.email
  );
}

/** Calls that need no session. Other calls are not sent without a token: a screen may still poll while its session ends. */
export const openCalls: ReadonlySet<string> = new Set([
  'POST /auth/login',
  'POST /auth/second-factor',
  'GET /auth/options',
  'POST /auth/oidc/token',
  'POST /auth/forgot-password',
  'GET /auth/verify-reset-token/{token}',
  'POST /auth/reset-password',
  'GET /auth/verify-invitation/{token}',
  'POST /invitations/accept',
  'GET /unsubscribe/{token}',
  'POST /unsubscribe/{token}',
  'GET /subscribe/{token}',
  'POST /subscribe/{token}',
]);

/**
 * Sends a call and waits for the status and headers of its response. For `call` and `download`.
 * @throws ApiFailure for a failure or a missing answer; AbortError if cancelled
 */
export async function send(route: string, parts: CallParts, signal?: AbortSignal): Promise<Response> {
  const { user } = getSession();
  const headers = callHeaders();
  if (headers.authorization === undefined && !openCalls.has(route)) throw new ApiFailure(401, null);
  const body = parts.body === undefined ? null : JSON.stringify(parts.body);
  let response: Response;
  try {
    response = await fetch(urlOf(route, parts), {
      method: route.slice(0, route.indexOf(' ')),
      headers: {
        ...headers,
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(parts.idempotencyKey !== undefined && { 'idempotency-key': parts.idempotencyKey }),
      },
      body,
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFailure(0, null);
  }
  if (response.ok) return response;
  const failure = failureOf(response.status, await response.json().catch(() => null), headers.authorization);
  if (!isRenewed(failure, user)) throw failure;
  return send(route, parts, signal);
}

/**
 * Makes one call of the API: `call<typeof login>('POST /auth/login', { body: { email, password } })`. The
 * route of another endpoint does not compile.
 * @throws ApiFailure with the server's message
 */
export async function call<E extends Endpoint>(
  route: E['route'],
  input: CallInput<E> & Pick<CallParts, 'idempotencyKey'>,
  signal?: AbortSignal,
): Promise<Answer<E>> {
  const response = await send(route, input, signal);
  try {
    return (await response.json()) as Answer<E>;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFailure(0, null);
  }
}
