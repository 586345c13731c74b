import type { Endpoint } from '#shared/endpoint.ts';

/** Statuses of any call: invalid input, an unexpected error, no database, a full disk. */
const ofEveryCall = [400, 500, 503, 507];
/** Statuses of any call that may have a body: too large, or an unsupported content type. */
const ofBodies = [413, 415];

export function failureStatuses({ method, access, sessionOnly, heavy, failures = [] }: Endpoint): number[] {
  return [
    ...ofEveryCall,
    ...(access === 'public' ? [] : [401]),
    // A due password change or second factor, a wrong role, or an API token.
    ...(access === 'public' || (access === 'new-user' && !sessionOnly) ? [] : [403]),
    ...(method === 'GET' ? [] : ofBodies),
    ...(heavy ? [429] : []),
    ...failures,
  ];
}
