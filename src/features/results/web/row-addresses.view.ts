import { paths } from '#web/address/paths.ts';

export function addressOfFailed(superadmin: boolean, ticket: string, reason?: string): string {
  const filter = reason === undefined ? '' : `&reason=${encodeURIComponent(reason)}`;
  return addressOfRows(superadmin, ticket, `state=failed${filter}`);
}

export function addressOfActivation(
  superadmin: boolean,
  ticket: string,
  activation: 'activated' | 'unactivated' | 'unknown',
): string {
  return addressOfRows(superadmin, ticket, `activation=${activation}`);
}

/** Returns the address of the rows of a ticket whose coverage ends from a day (`YYYY-MM-DD`) to the end of its month. */
export function addressOfEnding(superadmin: boolean, ticket: string, from: string): string {
  const [year, month] = from.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year ?? 0, month ?? 1, 0)).getUTCDate();
  return addressOfRows(superadmin, ticket, `ends_from=${from}&ends_to=${from.slice(0, 8)}${lastDay}`);
}

/** Superadmins see rows in the tracker, users in Data Management. */
function addressOfRows(superadmin: boolean, ticket: string, filter: string): string {
  return `${superadmin ? paths.trackerOf(ticket) : paths.dataOf(ticket)}&${filter}`;
}
