import { deviceFilters } from '#shared/device-filters.ts';
import { oneOf, type Param, parseAll } from '#web/address/search-params.ts';
import { findFieldFilters, orFieldSort } from './fields/field-address.view.ts';
import { anyEndOfCoverage, type FilterOf, listFilter } from './list-filter.view.ts';

/** The `_id` of chosen devices, such as `7,12`, to which views of programs narrow the list. */
const ids: Param<string> = {
  parse: (text) => (text !== null && /^\d{1,15}(,\d{1,15})*$/.test(text) ? text : ''),
  initial: '',
};

export const deviceFilter = listFilter(deviceFilters, { ids });
export type DeviceFilter = FilterOf<typeof deviceFilters, 'ids'>;

/** The filters by the end of coverage, none of them set. */
export const anyEnd = { ...anyEndOfCoverage, never_covered: '' } as const;

export const orderAddress = {
  sort: orFieldSort(oneOf(['serial_number', 'type', 'coverage_end_date', 'last_checked'], 'serial_number')),
  order: oneOf(['asc', 'desc'], 'asc'),
};

export function readQuery(query: string) {
  const parameters = new URLSearchParams(query);
  return {
    ...parseAll({ ...deviceFilter.address, ...orderAddress }, parameters),
    own: findFieldFilters(parameters),
  };
}
