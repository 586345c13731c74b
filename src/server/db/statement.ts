import type { Columns, RowOf } from './column-types.ts';
import type { Queryable } from './db.ts';

/** A function that executes a statement with the values of its parameters `$1`, `$2`, … */
type Execution<Values extends unknown[], Result> = (db: Queryable, ...values: Values) => Promise<Result>;

export type Statement<C extends Columns = Columns> = {
  name: string | undefined;
  text: string;
  row: C;
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
export const statements: Pick<Statement, 'name' | 'text' | 'row'>[] = [];

/**
 * Declares a statement. Statements are declared once, in `.queries.ts` files.
 * @param name makes it a prepared statement, for statements that run often
 * @param row the columns of the result, if it has any
 */
export function statement<C extends Columns = Record<never, never>>(declared: {
  name?: string;
  text: string;
  row?: C;
}): Statement<C> {
  const { name, text, row = {} as C } = declared;
  if (name && statements.some((other) => other.name === name)) {
    throw new Error(`two statements have the name ${name}`);
  }
  const query = name ? { name, text } : { text };
  const execute = (db: Queryable, values: unknown[] = []) => db.query<RowOf<C>>({ ...query, values });
  const onlyValue = (found: RowOf<C>) => Object.values(found)[0] as RowOf<C>[keyof C];
  const made: Statement<C> = {
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
  statements.push(made);
  return made;
}
