import type { Endpoint } from '#shared/endpoint.ts';

/** Invalid input, an unexpected error, a silent database, a full disk: any call may meet them. */
const ofEveryCall = [400, 500, 503, 507];
/** A body that is too large, or of a type that is not read: also where none is expected. */
const ofBodies = [413, 415];

/** Returns the statuses of all failures with which a call may answer. */
export function failureStatuses({ method, access, heavy, failures = [] }: Endpoint): number[] {
  return [
    ...ofEveryCall,
    ...(access === 'public' ? [] : [401]),
    // A password change that is due, or another role.
    ...(access === 'public' || access === 'new-user' ? [] : [403]),
    ...(method === 'GET' ? [] : ofBodies),
    ...(heavy ? [429] : []),
    ...failures,
  ];
}
