import type { Columns, RowOf, ValuesOf } from './column-types.ts';
import type { Queryable } from './db.ts';

type None = Record<never, never>;

/** The values of a statement's parameters, unless it has none. */
type StatementArgs<P extends Columns> = keyof P extends never ? [] : [values: ValuesOf<P>];

/** A statement with a row of the columns `C` and the parameters `P`. */
export type Statement<C extends Columns = Columns, P extends Columns = Columns> = {
  name: string | undefined;
  /** With numbers (`$1`) for the names of parameters. */
  text: string;
  row: C;
  /** The parameters in the order of their numbers. */
  params: P;
  /** Returns the values in the order of their numbers. */
  bind(values: ValuesOf<P>): unknown[];
  /** Returns all rows. */
  all(db: Queryable, ...args: StatementArgs<P>): Promise<RowOf<C>[]>;
  /** Returns the first row, if there is one. */
  first(db: Queryable, ...args: StatementArgs<P>): Promise<RowOf<C> | undefined>;
  /** Returns the row of a statement that always returns one. */
  one(db: Queryable, ...args: StatementArgs<P>): Promise<RowOf<C>>;
  /** Returns the number of rows. */
  run(db: Queryable, ...args: StatementArgs<P>): Promise<number>;
};

/** All declared statements, for the test that checks them against the migrated database. */
export const statements: Pick<Statement, 'name' | 'text' | 'row' | 'params'>[] = [];

/**
 * Declares a statement. Statements are declared once, in `.queries.ts` files.
 * @param name makes it a prepared statement, for statements that run often
 * @param params the types of the parameters that the text names as `:name`
 * @param row the columns of the result, if it has any
 * @throws Error if text and `params` do not have the same parameters
 */
export function statement<P extends Columns = None, C extends Columns = None>(declared: {
  name?: string;
  text: string;
  params?: P;
  row?: C;
}): Statement<C, P> {
  const { name, params: types = {} as P, row = {} as C } = declared;
  if (name && statements.some((other) => other.name === name)) {
    throw new Error(`two statements have the name ${name}`);
  }
  const { text, names } = numberParameters(declared.text, Object.keys(types));
  const params = Object.fromEntries(names.map((key) => [key, types[key]])) as P;
  const parameters = names.map((key) => ({ key, isJson: /^jsonb?$/.test(types[key]?.type ?? '') }));
  const bind = (values: ValuesOf<P>) => {
    const valuesByName = values as Record<string, unknown>;
    return parameters.map(({ key, isJson }) => (isJson ? toJson(valuesByName[key]) : valuesByName[key]));
  };
  const query = name ? { name, text } : { text };
  const execute = (db: Queryable, [values]: StatementArgs<P>) =>
    db.query<RowOf<C>>({ ...query, values: bind((values ?? {}) as ValuesOf<P>) });
  const instance: Statement<C, P> = {
    name,
    text,
    row,
    params,
    bind,
    all: async (db, ...args) => (await execute(db, args)).rows,
    first: async (db, ...args) => (await execute(db, args)).rows[0],
    one: async (db, ...args) => {
      const [first] = (await execute(db, args)).rows;
      if (!first) throw new Error(`a statement that always returns a row returned none: ${text}`);
      return first;
    },
    run: async (db, ...args) => (await execute(db, args)).rowCount ?? 0,
  };
  statements.push(instance);
  return instance;
}

/** Returns the JSON text of a value. Null and undefined stay, and become NULL. */
function toJson(value: unknown): unknown {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

/**
 * Matches three kinds of parts of an SQL text: those whose colons begin no parameter (literals, quoted names, comments,
 * casts), numbered parameters, and `:name`. A colon after a word or a bracket belongs to an array slice.
 */
const parts = new RegExp(
  [
    String.raw`(?<!\w)E'(?:\\.|''|[^'\\])*'`,
    `'(?:''|[^'])*'`,
    `"(?:""|[^"])*"`,
    String.raw`--[^\n]*`,
    String.raw`/\*.*?\*/`,
    String.raw`(?<quote>\$(?:[a-z_]\w*)?\$).*?\k<quote>`,
    '::',
    String.raw`(?<number>\$\d+)`,
    String.raw`(?<![\w)\]]):(?<name>[a-z_]\w*)`,
  ].join('|'),
  'gis',
);

/**
 * Replaces the parameters `:name` of an SQL text by `$1`, `$2`, …
 * @returns the text, and the names in the order of their numbers
 * @throws Error if a parameter is not declared, or a declared one is not in the text
 */
export function numberParameters(text: string, declared: string[]): { text: string; names: string[] } {
  const names: string[] = [];
  const numberedText = text.replace(parts, (part, ...rest) => {
    const { number, name } = rest.at(-1) as Partial<Record<string, string>>;
    if (number) throw new Error(`a parameter has a name, not the number ${number}: ${text}`);
    if (!name) return part;
    if (!declared.includes(name)) throw new Error(`the parameter :${name} is not declared: ${text}`);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const missing = declared.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`the text has no parameter :${missing.join(', :')}: ${text}`);
  return { text: numberedText, names };
}
