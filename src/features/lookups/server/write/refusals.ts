import pg from 'pg';

/**
 * Classes of SQLSTATE that end by themselves, or when somebody puts right what is around the database: connections (08),
 * transactions that end or may only read (25), credentials (28), a missing database (3D), conflicts of transactions (40),
 * resources (53), locks (55), shutdowns and deadlines (57), the system below (58).
 */
const passing = /^(08|25|28|3D|40|53|55|57|58)/;

/**
 * Whether the database refuses what it was given, and would refuse it again: a value, a constraint, a limit, or a mistake
 * in the statement or in the schema. Whatever is no answer of the database passes.
 */
export function isRefused(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code !== undefined && !passing.test(error.code);
}
