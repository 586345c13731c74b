import { endsWithin } from '#features/devices/web/coverage/ends-within-chip.view.tsx';
import { askFields, fieldFilter } from '#features/devices/web/fields/field-address.view.ts';
import type { RowSort } from '#features/results/row-sorts.shared.ts';
import { longestSearch } from '#shared/search.ts';
import { day, oneOf, text } from '#web/address/search-params.ts';

/** The filters of rows in the address, by the names of the API; an empty filter selects all. */
export const filterAddress = {
  q: text(longestSearch),
  state: oneOf(['', 'pending', 'done', 'failed'], ''),
  activation: oneOf(['', 'activated', 'unactivated', 'unknown'], ''),
  reason: text(longestSearch),
  type: text(longestSearch),
  warranty: text(longestSearch),
  ends_within: oneOf(['', ...endsWithin], ''),
  ends_from: day(),
  ends_to: day(),
  expired: oneOf(['', 'true', 'false'], ''),
  /** By an own column of the company. */
  own: fieldFilter(),
};

export type RowFilter = {
  [Name in keyof typeof filterAddress]: ReturnType<(typeof filterAddress)[Name]['parse']>;
};

/** The result that rows are narrowed to, and the end of their coverage: each a group of chips. */
export const anyOutcome = { state: '', activation: '', reason: '' } as const;
export const anyEnd = { ends_within: '', ends_from: '', ends_to: '', expired: '' } as const;

export const noFilter: RowFilter = { ...anyOutcome, ...anyEnd, q: '', type: '', warranty: '', own: '' };

export function isNarrowed(filter: RowFilter): boolean {
  return Object.keys(noFilter).some((name) => filter[name as keyof RowFilter] !== '');
}

export type Shown = RowFilter & { sort: RowSort | `field.${string}`; order: 'asc' | 'desc' };

export function askFor(shown: Shown) {
  const { q, state, activation, reason, type, warranty, ends_within, ends_from, ends_to, expired } = shown;
  const filter = { q, state, activation, reason, type, warranty, ends_within, ends_from, ends_to, expired };
  return { ...filter, ...askFields(shown.own), sort: shown.sort, order: shown.order };
}

export function isChosen(shown: Shown): boolean {
  return isNarrowed(shown) || shown.sort !== 'position' || shown.order !== 'asc';
}
