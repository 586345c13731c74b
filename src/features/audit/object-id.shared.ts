/** The longest name of an object, in characters. An index of PostgreSQL takes none that is much longer. */
export const maxObjectIdLength = 254;
