import type { OwnField } from '#features/devices/fields.contract.ts';
import { keyForm, sortedField } from '#features/devices/fields.shared.ts';
import { groupFields } from '#shared/field-parameters.ts';
import type { Param } from '#web/address/search-params.ts';

/** A filter by one own column; `how` is empty for a whole value. */
export type FieldFilter = { key: string; how: '' | 'contains' | 'empty'; value: string };

const form = new RegExp(`^(${keyForm})(?:\\.(contains|empty))?=(.*)$`, 's');
/** Divides several filters, of which each value may have several lines. */
const divider = new RegExp(`\\n(?=${keyForm}(?:\\.(?:contains|empty))?=)`);
const sortForm = new RegExp(`^field\\.${keyForm}$`);
/** In characters: longer than all filters together, apart from very long values. */
const longest = 4000;

/** Filters by own columns in the address, such as `employee.contains=siti`, each in a line; empty without any. */
export function fieldFilter(): Param<string> {
  return { parse: (text) => (text !== null && form.test(text) ? text.slice(0, longest) : ''), initial: '' };
}

export function readFieldFilters(text: string): FieldFilter[] {
  return text.split(divider).flatMap((line) => {
    const [, key, how = '', value = ''] = form.exec(line) ?? [];
    return key === undefined ? [] : [{ key, how: how as FieldFilter['how'], value }];
  });
}

const nameOf = ({ key, how }: FieldFilter) => `${key}${how === '' ? '' : `.${how}`}`;

/** Writes filters for the address. Those without a column are left out. */
export function writeFieldFilters(filters: readonly FieldFilter[]): string {
  return filters
    .filter(({ key }) => key !== '')
    .map((filter) => `${nameOf(filter)}=${filter.value}`)
    .join('\n');
}

/** Returns the filters as a part of a call's query, those that have a value. */
export function askFields(text: string): { field?: Record<string, string> } {
  const filters = readFieldFilters(text).filter(({ value }) => value !== '');
  if (filters.length === 0) return {};
  return { field: Object.fromEntries(filters.map((filter) => [nameOf(filter), filter.value])) };
}

/**
 * Replaces an order by an own column that a company does not have, such as a removed one. A filter by such a column is kept,
 * so that the server refuses it: without the filter, the list would show (and forget) more devices than intended.
 * @param fields the own columns of the company; undefined, while they are not known, replaces nothing
 * @param address the order in the address of the list
 */
export function keepOrder<Sort extends string, Order extends string>(
  { sort, order }: { sort: Sort; order: Order },
  fields: readonly OwnField[] | undefined,
  address: { sort: Pick<Param<Sort>, 'initial'>; order: Pick<Param<Order>, 'initial'> },
): { sort: Sort; order: Order } {
  const sorted = sortedField(sort);
  if (fields === undefined || sorted === undefined || fields.some(({ key }) => key === sorted))
    return { sort, order };
  return { sort: address.sort.initial, order: address.order.initial };
}

/** Reads the filters by own columns of a query string. */
export function findFieldFilters(query: URLSearchParams): string {
  const { field } = groupFields<string>(Object.fromEntries(query));
  return Object.entries(typeof field === 'object' ? field : {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** An order by an own column, beside those of a list. */
export function orFieldSort<const T extends string>({
  parse,
  initial,
}: Param<T>): Param<T | `field.${string}`> {
  const isField = (text: string | null): text is `field.${string}` => text !== null && sortForm.test(text);
  return { parse: (text) => (isField(text) ? text : parse(text)), initial };
}
