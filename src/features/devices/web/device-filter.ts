import { deviceFilters } from '#shared/filters.ts';
import { oneOf, parseAll } from '#web/address/search-params.ts';
import { findFieldFilters, orFieldSort } from './fields/field-address.view.ts';
import { anyEndOfCoverage, type FilterOf, listFilter } from './list-filter.view.ts';

export const deviceFilter = listFilter(deviceFilters);
export type DeviceFilter = FilterOf<typeof deviceFilters>;

/** The filters by the end of coverage, none of them set. */
export const anyEnd = { ...anyEndOfCoverage, never_covered: '' } as const;

export const orderAddress = {
  sort: orFieldSort(oneOf(['serial_number', 'type', 'coverage_end_date', 'last_checked'], 'serial_number')),
  order: oneOf(['asc', 'desc'], 'asc'),
};

/** The order of the list without a choice. */
export const firstOrder = { sort: orderAddress.sort.initial, order: orderAddress.order.initial };

export function readQuery(query: string) {
  const given = new URLSearchParams(query);
  return { ...parseAll({ ...deviceFilter.address, ...orderAddress }, given), own: findFieldFilters(given) };
}
