import { keyForm } from '#features/devices/fields.shared.ts';
import { groupFields } from '#shared/field-parameters.ts';
import type { Param } from '#web/address/search-params.ts';

/** A filter by one own column; `how` is empty for a whole value. */
export type FieldFilter = { key: string; how: '' | 'contains' | 'empty'; value: string };

const form = new RegExp(`^(${keyForm})(?:\\.(contains|empty))?=(.*)$`, 's');
const sortForm = new RegExp(`^field\\.${keyForm}$`);

/** A filter by an own column in the address, such as `employee.contains=siti`; empty without one. */
export function fieldFilter(): Param<string> {
  return { parse: (text) => (text !== null && form.test(text) ? text.slice(0, 500) : ''), initial: '' };
}

export function readFieldFilter(text: string): FieldFilter | null {
  const [, key = '', how = '', value = ''] = form.exec(text) ?? [];
  return key === '' ? null : { key, how: how as FieldFilter['how'], value };
}

export function writeFieldFilter({ key, how, value }: FieldFilter): string {
  return key === '' ? '' : `${key}${how === '' ? '' : `.${how}`}=${value}`;
}

/** Returns the filter as a part of a call's query; nothing while it has no value. */
export function askFields(text: string): { field?: Record<string, string> } {
  const filter = readFieldFilter(text);
  if (!filter || filter.value === '') return {};
  return { field: { [text.slice(0, text.indexOf('='))]: filter.value } };
}

/** Reads the first filter by an own column of a query string. */
export function findFieldFilter(query: URLSearchParams): string {
  const { field } = groupFields<string>(Object.fromEntries(query));
  const [first] = Object.entries(typeof field === 'object' ? field : {});
  return first ? `${first[0]}=${first[1]}` : '';
}

/** An order by an own column, beside those of a list. */
export function orFieldSort<const T extends string>({
  parse,
  initial,
}: Param<T>): Param<T | `field.${string}`> {
  const isField = (text: string | null): text is `field.${string}` => text !== null && sortForm.test(text);
  return { parse: (text) => (isField(text) ? text : parse(text)), initial };
}
