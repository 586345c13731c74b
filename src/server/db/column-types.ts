import pg from 'pg';

// Calendar dates stay the text that they are; bigint identifiers fit a double by far; numeric stays exact text.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** One column of what a statement answers: its type in PostgreSQL, and the type `T` in which its values arrive. */
export type Column<T> = {
  /** As pg_type names it. */
  type: string;
  /** 'excluded': the table allows nulls, but this statement answers none. */
  nulls: 'none' | 'allowed' | 'excluded';
  /** The labels of an enumeration. */
  labels?: readonly string[];
  /** Only for the compiler. */
  value?: T;
};

/** The columns that a statement answers, by their names. */
export type Columns = Record<string, Column<unknown>>;

/** A row of such columns. */
export type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

function column<T>(type: string): Column<T> {
  return { type, nulls: 'none' };
}

export const bool = column<boolean>('bool');
export const int2 = column<number>('int2');
export const int4 = column<number>('int4');
export const int8 = column<number>('int8');
export const float8 = column<number>('float8');
export const numeric = column<string>('numeric');
export const text = column<string>('text');
export const uuid = column<string>('uuid');
export const bytea = column<Buffer>('bytea');
export const date = column<string>('date');
export const timestamptz = column<Date>('timestamptz');
export const int4Array = column<number[]>('_int4');
export const textArray = column<string[]>('_text');

/** A text that a check, or what writes it, holds to some values. */
export const textOf = <T extends string>() => column<T>('text');

/** jsonb of a known form. */
export const jsonb = <T>() => column<T>('jsonb');

/** A type made by CREATE TYPE … AS ENUM with these labels, in their order. */
export function enumeration<const Labels extends readonly string[]>(
  type: string,
  labels: Labels,
): Column<Labels[number]> {
  return { type, nulls: 'none', labels };
}

/** The same column with nulls. */
export function nullable<T>(of: Column<T>): Column<T | null> {
  return { ...(of as Column<T | null>), nulls: 'allowed' };
}

/** The same column where the table allows nulls, but the statement answers none. */
export function notNull<T>(of: Column<T>): Column<T> {
  return { ...of, nulls: 'excluded' };
}

/** The names for a SELECT or RETURNING; `alias` is the table's in the statement. */
export function listColumns(columns: Columns, alias?: string): string {
  return Object.keys(columns)
    .map((name) => (alias ? `${alias}.${name}` : name))
    .join(', ');
}
