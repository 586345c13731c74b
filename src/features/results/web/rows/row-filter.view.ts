import { keepOrder, orFieldSort } from '#features/devices/web/fields/field-address.view.ts';
import { askFilter, type FilterOf, listFilter } from '#features/devices/web/list-filter.view.ts';
import { rowSorts } from '#features/results/row-sorts.shared.ts';
import { rowFilters } from '#shared/filters.ts';
import {
  oneOf,
  pageSize,
  rememberedOneOf,
  storedPageSize,
  text,
  type Values,
  wholeNumber,
} from '#web/address/search-params.ts';

/** The part of a screen's address that a table of rows reads and changes. */
export const rowsAddress = {
  page: wholeNumber(1),
  size: pageSize,
  sort: orFieldSort(oneOf(rowSorts, 'position')),
  order: oneOf(['asc', 'desc'], 'asc'),
  /** The position of the open row; 0 if none is open. */
  row: wholeNumber(0),
};
export type RowsState = Values<typeof rowsAddress>;

export const rowFilter = listFilter(rowFilters);
export type RowFilter = FilterOf<typeof rowFilters>;

/**
 * The address of every screen with the data of one ticket; a screen may add parameters. The size is one of results or of
 * uploaded rows, which are offered in other sizes.
 */
export const ticketAddress = {
  ticket: text(),
  ...rowsAddress,
  ...rowFilter.address,
  size: rememberedOneOf([10, 20, 50, 100, 500, 1000], 10, storedPageSize),
};
export type TicketState = Values<typeof ticketAddress>;
/** Changes the address, as the setter of `useUrlState` does. */
export type ChangeTicketState = (change: Partial<TicketState>, options?: { replace: boolean }) => void;

/** Returns a page size of the address, or the first of a table that does not offer it. */
export const sizeAmong = <const T extends number>(offered: readonly [T, ...T[]], size: number): T =>
  offered.find((one) => one === size) ?? offered[0];

/** Another ticket is shown from its first row, unfiltered. Its company may have other own columns to order by. */
export const showTicket = (ticket: string, state: RowChoice) => ({
  ...rowFilter.none,
  ...keepOrder(state, [], rowsAddress),
  ticket,
  page: 1,
  row: 0,
});

/** The filters by the result of a lookup, none of them set: a group of chips. */
export const anyOutcome = { state: '', activation: '', reason: '' } as const;

export type RowChoice = RowFilter & Pick<RowsState, 'sort' | 'order'>;

export const askFor = (choice: RowChoice) =>
  askFilter({ ...rowFilter.of(choice), sort: choice.sort, order: choice.order });

export function isChosen(choice: RowChoice): boolean {
  return rowFilter.isNarrowed(choice) || choice.sort !== 'position' || choice.order !== 'asc';
}
