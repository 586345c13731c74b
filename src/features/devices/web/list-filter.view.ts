import { type Filter, type Filters, farthestEnd, type ValueOf } from '#shared/filters.ts';
import { maxSearchLength } from '#shared/search.ts';
import { day, oneOf, type Param, text } from '#web/address/search-params.ts';
import { formatNumber } from '#web/format/format.ts';
import { askFields, fieldFilter } from './fields/field-address.view.ts';

type TextOf<F extends Filter> = ValueOf<F> extends number ? `${number}` | '' : ValueOf<F> | '';

/** A number of days, as the API takes it; empty when missing or none. */
function days(): Param<string> {
  const isNumber = (text: string) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= farthestEnd;
  return { parse: (text) => (text !== null && isNumber(text) ? text : ''), initial: '' };
}

function paramOf({ kind, choices }: Filter): Param<string> {
  if (choices) return oneOf(['', ...Object.keys(choices)], '');
  if (kind === 'day') return day();
  return kind === 'days' ? days() : text(maxSearchLength);
}

/** The filters by the end of coverage, none of them set. Each takes the place of the others. */
export const anyEndOfCoverage = { ends_within: '', ends_from: '', ends_to: '', expired: '' } as const;

/** The values of filters in an address, with those by own columns of a company. */
export type FilterOf<F extends Filters, More extends string = never> = {
  [Name in keyof F]: TextOf<F[Name]>;
} & Record<More | 'own', string>;

/**
 * Returns the filters of a list in the address of a screen, by the names of the API. An empty filter narrows nothing.
 * @param more filters that the list has besides
 */
export function listFilter<F extends Filters, More extends string = never>(
  filters: F,
  more?: Record<More, Param<string>>,
) {
  type FilterValues = FilterOf<F, More>;
  const params = Object.entries(filters).map(([name, filter]) => [name, paramOf(filter)]);
  const address = { ...Object.fromEntries(params), ...more, own: fieldFilter() } as {
    [Name in keyof FilterValues]: Param<FilterValues[Name]>;
  };
  const names = Object.keys(address) as (keyof FilterValues)[];
  /** Returns the filters among other values of an address. */
  const of = (state: FilterValues) =>
    Object.fromEntries(names.map((name) => [name, state[name]])) as unknown as FilterValues;
  const none = Object.fromEntries(names.map((name) => [name, ''])) as { [Name in keyof FilterValues]: '' };
  // A filter by an own column without a value is not asked.
  const isNarrowed = (state: FilterValues) =>
    names.some((name) => (name === 'own' ? askFields(state.own).field !== undefined : state[name] !== ''));
  return { address, none, of, isNarrowed };
}

/** Returns filters, and the values beside them, as a call's query. */
export function askFilter<Choice extends { own: string }>({ own, ...choice }: Choice) {
  return { ...choice, ...askFields(own) };
}

export type Value = { value: string; count: number };

/** Returns the options of a filter: any value, those that are known with their counts, and the chosen one in any case. */
export function listOptions(any: string, chosen: string, values: readonly Value[] = []) {
  const isListed = chosen === '' || values.some(({ value }) => value === chosen);
  return [
    { value: '', label: any },
    ...(isListed ? [] : [{ value: chosen, label: chosen }]),
    ...values.map(({ value, count }) => ({ value, label: `${value} (${formatNumber(count)})` })),
  ];
}
