import { fieldFilterValues } from '#features/devices/server/devices.service.ts';
import { readPositions } from '#features/results/positions.shared.ts';
import { valuesOfFilters } from '#server/db/filter-sql.queries.ts';
import type { Query } from '#shared/endpoint.ts';
import { rowFilters } from '#shared/filters.ts';
import { normalisePart } from '#shared/search.ts';
import type { listResults } from '../results.contract.ts';

/** The filters and order of a ticket's rows. A row must pass all filters. */
export type RowQuery = Omit<
  Query<typeof listResults>,
  'page' | 'limit' | 'ticket_number' | 'counts' | 'cursor'
>;

/** Filters, order, and the day (YYYY-MM-DD) from which expiry counts. */
export type DatedRowQuery = RowQuery & { today: string };

export function isInSheetOrder({ sort, order }: RowQuery): boolean {
  return sort === 'position' && order === 'asc';
}

export function hasNoFilter(filters: RowQuery): boolean {
  return Object.values(filterValues(filters)).every((value) => value === null || value === undefined);
}

/** Returns the SQL parameters of the filters; null or undefined for a filter that is not set. */
export function filterValues(filters: RowQuery) {
  const { status = 'all', q, positions, compared_with, shared, field } = filters;
  return {
    ...valuesOfFilters(rowFilters, filters),
    q: q ? withoutBlanks(q) : null,
    // A search without letters and digits matches no identifier.
    part: q ? normalisePart(q) || null : null,
    status: status === 'all' ? null : (statusAliases[status] ?? status),
    positions: positions && `{${readPositions(positions).map(([lo, hi]) => `[${lo},${hi}]`)}}`,
    compared_with: compared_with ? Number(compared_with) : null,
    shared: compared_with ? shared !== 'false' : null,
    ...fieldFilterValues(field),
  };
}

/** Other names of values of `status`. */
const statusAliases: Record<string, string> = { active: 'activated', inactive: 'unactivated' };

/** Spaces and invisible characters, which are ignored in a cell without an identifier and in the search for it. */
export const blanks =
  '\t\n\v\f\r \u0085\u00a0\u00ad\u061c\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
  '\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2061\u2062\u2063\u2064' +
  '\u2066\u2067\u2068\u2069\u3000\ufeff';
const blankPattern = new RegExp(`[${blanks}]`, 'g');

const withoutBlanks = (text: string) => text.replace(blankPattern, '');
