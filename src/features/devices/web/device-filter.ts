import { day, oneOf, text } from '#web/address/search-params.ts';

/** The filters of the list as the address has them, by the names of the API; an empty one narrows nothing. */
export const filterAddress = {
  q: text(),
  activation: oneOf(['', 'activated', 'unactivated', 'unknown'], ''),
  type: text(),
  warranty: text(),
  ends_within: oneOf(['', '30', '60', '90', '180'], ''),
  ends_from: day(),
  ends_to: day(),
  expired: oneOf(['', 'true', 'false'], ''),
  never_covered: oneOf(['', 'true', 'false'], ''),
  checked_before: day(),
  changed_since: day(),
  ticket_number: text(),
  source: text(),
  company_code: text(),
};

export type DeviceFilter = {
  [Name in keyof typeof filterAddress]: ReturnType<(typeof filterAddress)[Name]['parse']>;
};

/** No filter at all. */
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

/** Returns the filters alone, without page and order. */
export function filterOf(place: DeviceFilter): DeviceFilter {
  return Object.fromEntries(
    Object.keys(filterAddress).map((name) => [name, place[name as keyof DeviceFilter]]),
  ) as DeviceFilter;
}

/** Returns whether any filter narrows the list. */
export function isNarrowed(filter: DeviceFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}
