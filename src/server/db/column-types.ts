import pg from 'pg';

// Dates stay text, because a Date would have a time zone. Our bigint values fit a double. Numeric stays exact text.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A column of a statement's result, or a parameter: its PostgreSQL type, and the type `T` of its values in JavaScript. */
export type Column<T> = {
  /** The name in pg_type. */
  type: string;
  /** 'excluded': the table allows nulls, but this statement returns none. */
  nulls: 'none' | 'allowed' | 'excluded';
  labels?: readonly string[];
  /** Only for the compiler. */
  value?: T;
};

/** The columns of a statement's result, or its parameters, by name. */
export type Columns = Record<string, Column<unknown>>;

/** A row with these columns. */
export type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

/** The values of parameters of these types. A parameter that may be null may be undefined, which is NULL too. */
export type ValuesOf<P extends Columns> = {
  [Name in keyof P]: P[Name] extends Column<infer T> ? Value<T> : never;
};
type Value<T> = (T extends (infer Item)[] ? readonly Item[] : T) | (null extends T ? undefined : never);

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
/** A parameter with ranges such as `{[1,2],[4,4]}`. */
export const int8multirange = column<string>('int8multirange');

/** An array of values of a type. */
export function array<T>({ type }: Column<T>): Column<T[]> {
  return column(`_${type}`);
}

/** A text column limited to some values, by a CHECK or by the code that writes it. */
export const textOf = <T extends string>() => column<T>('text');

/** A json or jsonb column of a known shape. */
export const json = <T>() => column<T>('json');
export const jsonb = <T>() => column<T>('jsonb');

/** A column of an enumeration type (CREATE TYPE … AS ENUM) with these labels, in order. */
export function enumeration<const Labels extends readonly string[]>(
  type: string,
  labels: Labels,
): Column<Labels[number]> {
  return { type, nulls: 'none', labels };
}

export function nullable<T>(of: Column<T>): Column<T | null> {
  return { ...(of as Column<T | null>), nulls: 'allowed' };
}

/** Returns the column for a statement without nulls, although the table allows them. */
export function notNull<T>(of: Column<T>): Column<T> {
  return { ...of, nulls: 'excluded' };
}

/** Returns the column list for a SELECT or RETURNING. `alias`: the table's alias in the statement. */
export function listColumns(columns: Columns, alias?: string): string {
  return Object.keys(columns)
    .map((name) => (alias ? `${alias}.${name}` : name))
    .join(', ');
}
