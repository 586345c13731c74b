import type { Columns, RowOf } from './column-types.ts';
import type { Queryable } from './db.ts';

/** One statement of the product, with what it answers. */
export type Statement<C extends Columns = Columns> = {
  name: string | undefined;
  text: string;
  row: C;
  /** All rows. */
  all(db: Queryable, values?: unknown[]): Promise<RowOf<C>[]>;
  /** The first row, where there is one. */
  first(db: Queryable, values?: unknown[]): Promise<RowOf<C> | undefined>;
  /** The first row of a statement that always answers one. */
  one(db: Queryable, values?: unknown[]): Promise<RowOf<C>>;
  /** How many rows were found or changed. */
  run(db: Queryable, values?: unknown[]): Promise<number>;
};

/** Every statement of the modules that were loaded, for the test that holds them against the migrated database. */
export const statements: Pick<Statement, 'name' | 'text' | 'row'>[] = [];

/**
 * Declares a statement; it stands in a `.queries.ts` file and its text never changes while the process runs.
 * @param name for a hot one: each connection parses it once and, where that costs nothing, plans it once. Names are
 *   given here alone, so that nothing else would change behind a pooler that does not know them.
 * @param row what it answers, column by column; left out where it answers no columns
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
  const made: Statement<C> = {
    name,
    text,
    row,
    all: async (db, values) => (await execute(db, values)).rows,
    first: async (db, values) => (await execute(db, values)).rows[0],
    one: async (db, values) => {
      const [first] = (await execute(db, values)).rows;
      if (!first) throw new Error(`a statement that always answers a row answered none: ${text}`);
      return first;
    },
    run: async (db, values) => (await execute(db, values)).rowCount ?? 0,
  };
  statements.push(made);
  return made;
}
