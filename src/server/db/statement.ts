import type { Column, Columns, RowOf, ValuesOf } from './column-types.ts';
import type { Queryable } from './db.ts';
import { numberParameters } from './named-parameters.ts';

/** No columns, or no parameters. */
export type None = Record<never, never>;

/** The values of a statement's parameters, unless it has none. */
type Given<P extends Columns> = keyof P extends never ? [] : [values: ValuesOf<P>];

/** A statement with a row of the columns `C` and the parameters `P`. */
export type Statement<C extends Columns = Columns, P extends Columns = Columns> = {
  name: string | undefined;
  /** With numbers (`$1`) for the names of parameters. */
  text: string;
  row: C;
  params: P;
  /** Returns the values in the order of their numbers. */
  bind(...given: Given<P>): unknown[];
  /** Returns all rows. */
  all(db: Queryable, ...given: Given<P>): Promise<RowOf<C>[]>;
  /** Returns the first row, if there is one. */
  first(db: Queryable, ...given: Given<P>): Promise<RowOf<C> | undefined>;
  /** Returns the row of a statement that always returns one. */
  one(db: Queryable, ...given: Given<P>): Promise<RowOf<C>>;
  /** Returns the number of rows. */
  run(db: Queryable, ...given: Given<P>): Promise<number>;
};

/** A function that executes a statement with the values of its parameters `$1`, `$2`, … */
type Execution<Values extends unknown[], Result> = (db: Queryable, ...values: Values) => Promise<Result>;

/** A statement whose parameters have numbers. */
export type PositionalStatement<C extends Columns = Columns> = {
  name: string | undefined;
  text: string;
  row: C;
  params?: undefined;
  /** Returns all rows. */
  all(db: Queryable, values?: unknown[]): Promise<RowOf<C>[]>;
  /** Returns the first row, if there is one. */
  first(db: Queryable, values?: unknown[]): Promise<RowOf<C> | undefined>;
  /** Returns the row of a statement that always returns one. */
  one(db: Queryable, values?: unknown[]): Promise<RowOf<C>>;
  run(db: Queryable, values?: unknown[]): Promise<number>;
  /** The same as functions that name their values, for a module to export. */
  allWith<Values extends unknown[] = []>(): Execution<Values, RowOf<C>[]>;
  firstWith<Values extends unknown[] = []>(): Execution<Values, RowOf<C> | undefined>;
  oneWith<Values extends unknown[] = []>(): Execution<Values, RowOf<C>>;
  runWith<Values extends unknown[] = []>(): Execution<Values, number>;
  /** The same for a statement of one column, as functions that return its value. */
  allValuesWith<Values extends unknown[] = []>(): Execution<Values, RowOf<C>[keyof C][]>;
  firstValueWith<Values extends unknown[] = []>(): Execution<Values, RowOf<C>[keyof C] | undefined>;
  valueWith<Values extends unknown[] = []>(): Execution<Values, RowOf<C>[keyof C]>;
};

/** All declared statements, for the test that checks them against the migrated database. */
export const statements: {
  name: string | undefined;
  text: string;
  row: Columns;
  /** In the order of their numbers; undefined for numbered ones. */
  params?: Columns | undefined;
}[] = [];

/**
 * Declares a statement. Statements are declared once, in `.queries.ts` files.
 * @param name makes it a prepared statement, for statements that run often
 * @param params the types of the parameters that the text names as `:name`
 * @param row the columns of the result, if it has any
 * @throws Error if text and `params` do not have the same parameters
 */
export function statement<P extends Columns, C extends Columns = None>(declared: {
  name?: string;
  text: string;
  params: P;
  row?: C;
}): Statement<C, P>;
export function statement<C extends Columns = None>(declared: {
  name?: string;
  text: string;
  row?: C;
}): PositionalStatement<C>;
export function statement<P extends Columns, C extends Columns>(declared: {
  name?: string;
  text: string;
  params?: P;
  row?: C;
}): Statement<C, P> | PositionalStatement<C> {
  const { name } = declared;
  if (name && statements.some((other) => other.name === name)) {
    throw new Error(`two statements have the name ${name}`);
  }
  const made = declared.params
    ? declareNamed({ params: declared.params, ...declared })
    : declarePositional(declared);
  statements.push(made);
  return made;
}

function declareNamed<P extends Columns, C extends Columns>(declared: {
  name?: string;
  text: string;
  params: P;
  row?: C;
}): Statement<C, P> {
  const { name, row = {} as C } = declared;
  const { text, names } = numberParameters(declared.text, Object.keys(declared.params));
  const params = Object.fromEntries(names.map((one) => [one, declared.params[one]])) as P;
  const parameters = Object.entries<Column<unknown>>(params).map(([key, { type }]) => ({
    key,
    isJson: type === 'json' || type === 'jsonb',
  }));
  const bind = (...[values]: Given<P>) => {
    const given = (values ?? {}) as Record<string, unknown>;
    return parameters.map(({ key, isJson }) => (isJson ? toJson(given[key]) : given[key]));
  };
  const query = name ? { name, text } : { text };
  const execute = (db: Queryable, given: Given<P>) =>
    db.query<RowOf<C>>({ ...query, values: bind(...given) });
  return {
    name,
    text,
    row,
    params,
    bind,
    all: async (db, ...given) => (await execute(db, given)).rows,
    first: async (db, ...given) => (await execute(db, given)).rows[0],
    one: async (db, ...given) => {
      const [first] = (await execute(db, given)).rows;
      if (!first) throw new Error(`a statement that always returns a row returned none: ${text}`);
      return first;
    },
    run: async (db, ...given) => (await execute(db, given)).rowCount ?? 0,
  };
}

/** Returns the JSON text of a value. Null and undefined stay, and become NULL. */
function toJson(value: unknown): unknown {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

function declarePositional<C extends Columns>(declared: {
  name?: string;
  text: string;
  row?: C;
}): PositionalStatement<C> {
  const { name, text, row = {} as C } = declared;
  const query = name ? { name, text } : { text };
  const execute = (db: Queryable, values: unknown[] = []) => db.query<RowOf<C>>({ ...query, values });
  const onlyValue = (found: RowOf<C>) => Object.values(found)[0] as RowOf<C>[keyof C];
  const made: PositionalStatement<C> = {
    name,
    text,
    row,
    all: async (db, values) => (await execute(db, values)).rows,
    first: async (db, values) => (await execute(db, values)).rows[0],
    one: async (db, values) => {
      const [first] = (await execute(db, values)).rows;
      if (!first) throw new Error(`a statement that always returns a row returned none: ${text}`);
      return first;
    },
    run: async (db, values) => (await execute(db, values)).rowCount ?? 0,
    allWith:
      () =>
      (db, ...values) =>
        made.all(db, values),
    firstWith:
      () =>
      (db, ...values) =>
        made.first(db, values),
    oneWith:
      () =>
      (db, ...values) =>
        made.one(db, values),
    runWith:
      () =>
      (db, ...values) =>
        made.run(db, values),
    allValuesWith:
      () =>
      async (db, ...values) =>
        (await made.all(db, values)).map(onlyValue),
    firstValueWith:
      () =>
      async (db, ...values) => {
        const first = await made.first(db, values);
        return first && onlyValue(first);
      },
    valueWith:
      () =>
      async (db, ...values) =>
        onlyValue(await made.one(db, values)),
  };
  return made;
}
