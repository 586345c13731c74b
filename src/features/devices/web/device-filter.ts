import { day, oneOf, type Param, text } from '#web/address/search-params.ts';
import { fieldFilter, findFieldFilters, orFieldSort } from './fields/field-address.view.ts';

/** A number of days, as the API takes it; empty when missing or none. */
function days(): Param<`${number}` | ''> {
  const isDays = (text: string | null): text is `${number}` => text !== null && /^[1-9]\d{0,2}$/.test(text);
  return { parse: (text) => (isDays(text) ? text : ''), initial: '' };
}

/** The filters of the list as the address has them, by the names of the API; an empty one narrows nothing. */
export const filterAddress = {
  q: text(),
  activation: oneOf(['', 'activated', 'unactivated', 'unknown'], ''),
  type: text(),
  warranty: text(),
  ends_within: days(),
  ends_from: day(),
  ends_to: day(),
  expired: oneOf(['', 'true', 'false'], ''),
  never_covered: oneOf(['', 'true', 'false'], ''),
  checked_before: day(),
  changed_since: day(),
  ticket_number: text(),
  source: text(),
  company_code: text(),
  /** By own columns of a company. */
  own: fieldFilter(),
};

export type DeviceFilter = {
  [Name in keyof typeof filterAddress]: ReturnType<(typeof filterAddress)[Name]['parse']>;
};

export const noFilter = Object.fromEntries(
  Object.keys(filterAddress).map((name) => [name, '']),
) as unknown as DeviceFilter;

/** The filters by the end of coverage. Each takes the place of the others. */
export const anyEnd = {
  ends_within: '',
  ends_from: '',
  ends_to: '',
  expired: '',
  never_covered: '',
} as const;

export function filterOf(state: DeviceFilter): DeviceFilter {
  return Object.fromEntries(
    Object.keys(filterAddress).map((name) => [name, state[name as keyof DeviceFilter]]),
  ) as DeviceFilter;
}

export function isNarrowed(filter: DeviceFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

export const orderAddress = {
  sort: orFieldSort(oneOf(['serial_number', 'type', 'coverage_end_date', 'last_checked'], 'serial_number')),
  order: oneOf(['asc', 'desc'], 'asc'),
};

export function readQuery(query: string) {
  const given = new URLSearchParams(query);
  return {
    ...(Object.fromEntries(
      Object.entries(filterAddress).map(([name, { parse }]) => [name, parse(given.get(name))]),
    ) as DeviceFilter),
    own: findFieldFilters(given),
    sort: orderAddress.sort.parse(given.get('sort')),
    order: orderAddress.order.parse(given.get('order')),
  };
}
