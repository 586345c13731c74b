import { endsWithin } from '#features/devices/web/coverage/ends-within-chip.view.tsx';
import { askFields, fieldFilter, orFieldSort } from '#features/devices/web/fields/field-address.view.ts';
import { rowSorts } from '#features/results/row-sorts.shared.ts';
import { longestSearch } from '#shared/search.ts';
import {
  day,
  oneOf,
  pageSize,
  remembered,
  storedPageSize,
  text,
  type Values,
  whole,
} from '#web/address/search-params.ts';

/** The part of a screen's address that a table of rows reads and changes. */
export const rowsAddress = {
  page: whole(1),
  size: pageSize,
  sort: orFieldSort(oneOf(rowSorts, 'position')),
  order: oneOf(['asc', 'desc'], 'asc'),
  /** The position of the open row; 0 if none is open. */
  row: whole(0),
};
export type RowsState = Values<typeof rowsAddress>;

/** The filters of rows in the address, by the names of the API; an empty filter selects all. */
const filterAddress = {
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
  /** By own columns of the company. */
  own: fieldFilter(),
};

export type RowFilter = Values<typeof filterAddress>;

/**
 * The address of every screen with the data of one ticket; each adds what it has besides. Its size is one of results or
 * one of uploaded rows, which are offered in other sizes.
 */
export const ticketAddress = {
  ticket: text(),
  ...rowsAddress,
  ...filterAddress,
  size: remembered([10, 20, 50, 100, 500, 1000], 10, storedPageSize),
};
export type TicketState = Values<typeof ticketAddress>;
/** Changes the address, as the setter of `useUrlState` does. */
export type ChangeTicketState = (change: Partial<TicketState>, options?: { replace: boolean }) => void;

/** Returns a page size of the address, or the first of a table that does not offer it. */
export const sizeAmong = <const T extends number>(offered: readonly [T, ...T[]], size: number): T =>
  offered.find((one) => one === size) ?? offered[0];

/** Another ticket is shown from its first row, unfiltered. */
export const showTicket = (ticket: string) => ({ ...noFilter, ticket, page: 1, row: 0 });

/** The result that rows are narrowed to, and the end of their coverage: each a group of chips. */
export const anyOutcome = { state: '', activation: '', reason: '' } as const;
export const anyEnd = { ends_within: '', ends_from: '', ends_to: '', expired: '' } as const;

export const noFilter: RowFilter = { ...anyOutcome, ...anyEnd, q: '', type: '', warranty: '', own: '' };

export function isNarrowed(filter: RowFilter): boolean {
  return Object.keys(noFilter).some((name) => filter[name as keyof RowFilter] !== '');
}

export type Shown = RowFilter & Pick<RowsState, 'sort' | 'order'>;

export function askFor(shown: Shown) {
  const { q, state, activation, reason, type, warranty, ends_within, ends_from, ends_to, expired } = shown;
  const filter = { q, state, activation, reason, type, warranty, ends_within, ends_from, ends_to, expired };
  return { ...filter, ...askFields(shown.own), sort: shown.sort, order: shown.order };
}

export function isChosen(shown: Shown): boolean {
  return isNarrowed(shown) || shown.sort !== 'position' || shown.order !== 'asc';
}
