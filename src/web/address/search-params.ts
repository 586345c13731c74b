import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { readTypedDay } from '#web/format/typed-day.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';

/** Reads one search parameter, falling back where it is missing or nonsense. */
export type Param<T> = {
  parse: (text: string | null) => T;
  initial: T;
  /** The storage key of the last choice, the default for addresses without one. */
  storedAs?: string;
};

/** A whole number of at least `initial`. */
export function wholeNumber(initial: number): Param<number> {
  const parse = (text: string | null) => {
    const value = text !== null && /^\d{1,9}$/.test(text) ? Number(text) : initial;
    return Math.max(value, initial);
  };
  return { parse, initial };
}

/** One of a fixed list; the first is the default unless another is given. */
export function oneOf<const T extends string | number>(values: readonly T[], initial: T): Param<T> {
  return { parse: (text) => values.find((value) => String(value) === text) ?? initial, initial };
}

export const storedPageSize = 'coverdesk.pageSize';

/**
 * A value of a fixed list. Without one in the address it is the last choice, else `initial`.
 * @param storedAs the storage key of the last choice
 */
export function rememberedOneOf<const T extends string | number>(
  values: readonly T[],
  initial: NoInfer<T>,
  storedAs: string,
): Param<T> {
  const parse = (text: string | null) =>
    values.find((value) => String(value) === (text ?? readStored(storedAs))) ?? initial;
  return { parse, initial, storedAs };
}

/** The page sizes of long lists, and the one that was chosen last. */
export const pageSizes = [10, 50, 100, 500, 1000] as const;
export const pageSize = rememberedOneOf(pageSizes, 10, storedPageSize);

/** Returns a change of the page of a list for an address that names the page size `size`. */
export function asSize<S extends number>({ page, limit }: { page: number; limit?: S }) {
  return limit === undefined ? { page } : { page, size: limit };
}

/** A calendar day (`YYYY-MM-DD`); empty when missing or none. */
export function day(): Param<string> {
  // A day of this form is read as itself in either language.
  return { parse: (text) => (text !== null && readTypedDay(text, 'en') === text ? text : ''), initial: '' };
}

/** Free text, cut to the longest that a call takes; empty when missing. */
export function text(longest?: number): Param<string> {
  return { parse: (value) => value?.slice(0, longest) ?? '', initial: '' };
}

/** The values of an address by their names. */
export type Values<S> = { [K in keyof S]: S[K] extends Param<infer T> ? T : never };

/** Returns the values that an address has. */
export const parseAll = <S extends Record<string, Param<unknown>>>(schema: S, search: URLSearchParams) =>
  Object.fromEntries(
    Object.entries(schema).map(([name, param]) => [name, param.parse(search.get(name))]),
  ) as Values<S>;

/**
 * Filters, page and page size of a screen, kept in the address. A value equal to its default is left out of it.
 * @param schema one `Param` per name; declare it outside the component
 * @returns the values and a setter; the setter adds a step to the history unless `replace`
 */
export function useUrlState<S extends Record<string, Param<unknown>>>(
  schema: S,
): [Values<S>, (change: Partial<Values<S>>, options?: { replace?: boolean }) => void] {
  const [search, setSearch] = useSearchParams();
  const values = useMemo(() => parseAll(schema, search), [schema, search]);
  const change = useCallback(
    (changes: Partial<Values<S>>, { replace = false } = {}) => {
      if (!replace) keepRemembered(schema, changes, values);
      setSearch(
        () => {
          // Read from the address: the rendered state may lack the latest choice.
          const after = new URLSearchParams(location.search);
          for (const [name, value] of Object.entries(changes)) {
            const { initial, storedAs } = schema[name] ?? {};
            if (storedAs !== undefined) writeStored(storedAs, String(value));
            // A remembered default stays in the address; otherwise the last choice would replace it.
            if ((value === initial && storedAs === undefined) || value === undefined) after.delete(name);
            else after.set(name, String(value));
          }
          return after;
        },
        { replace, preventScrollReset: true },
      );
    },
    [schema, setSearch, values],
  );
  return [values, change];
}

/** Writes the remembered value into the address before leaving it, so that Back restores it instead of a newer choice. */
function keepRemembered(
  schema: Record<string, Param<unknown>>,
  changes: Record<string, unknown>,
  values: Record<string, unknown>,
): void {
  const address = new URL(location.href);
  const left = Object.keys(changes).filter(
    (name) => schema[name]?.storedAs !== undefined && !address.searchParams.has(name),
  );
  for (const name of left) address.searchParams.set(name, String(values[name]));
  if (left.length > 0) history.replaceState(history.state, '', address);
}
