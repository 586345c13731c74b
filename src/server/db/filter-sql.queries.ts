import type { Filters } from '#shared/filters.ts';
import { bool, type Column, type Columns, date, int4, int8, nullable, text } from './column-types.ts';

/** The types of parameters by kind of filter, unless the row has a column with the name of the filter. */
const types = {
  text,
  search: text,
  choice: text,
  flag: bool,
  day: date,
  days: int4,
  ticket: int8,
  company: text,
};

/**
 * Returns SQL conditions for the filters of a list, and the types of their parameters, which have the names of the filters. The
 * planner removes the condition of a parameter that is null.
 * @param row the columns of a row of the list
 * @param conditions those of the filters that do not compare the column of their name with the parameter
 */
export function filterSql<F extends Filters, R extends Columns>(
  filters: F,
  row: R,
  conditions: Record<Exclude<keyof F, keyof R>, string> & Partial<Record<keyof F, string>>,
) {
  const params = Object.fromEntries(
    Object.entries(filters).map(([name, { kind }]) => [name, nullable(row[name] ?? types[kind])]),
  ) as { [Name in keyof F]: Column<unknown> };
  const passes = Object.entries(params)
    .map(
      ([name, { type }]) => `AND (:${name}::${type} IS NULL OR ${conditions[name] ?? `${name} = :${name}`})`,
    )
    .join('\n  ');
  return { params, passes };
}

/** Returns the values of the parameters of filters; null for a filter that is not set. */
export function valuesOfFilters<F extends Filters>(filters: F, query: { [Name in keyof F]?: unknown }) {
  const values = Object.entries(filters).map(([name, { kind }]) => {
    const value = query[name] || null;
    if (value === null) return [name, null];
    return [name, kind === 'flag' ? value === 'true' : kind === 'ticket' ? Number(value) : value];
  });
  return Object.fromEntries(values) as { [Name in keyof F]: unknown };
}

/** Returns a flag of a query as a boolean. */
export const flagOf = (flag: 'true' | 'false' | undefined) =>
  flag === undefined ? undefined : flag === 'true';
