import { paths } from '#web/address/paths.ts';

/** Returns the address of a ticket's failed rows, which superadmins see in the tracker, users in Data Management. */
export function addressOfFailed(superadmin: boolean, ticket: string, reason?: string): string {
  const filter = reason === undefined ? '' : `&reason=${encodeURIComponent(reason)}`;
  return `${superadmin ? paths.trackerOf(ticket) : paths.dataOf(ticket)}&state=failed${filter}`;
}
