import pg from 'pg';

/**
 * SQLSTATE classes of failures that pass, or that an operator can end: connections (08), transactions that end or are
 * read-only (25), credentials (28), a missing database (3D), conflicts of transactions (40), resources (53), locks
 * (55), shutdowns and deadlines (57), the operating system (58).
 */
const passing = /^(08|25|28|3D|40|53|55|57|58)/;

/**
 * Returns whether the database refuses a write and would refuse it again: for a value, a constraint, a limit, or a
 * mistake in the statement or schema. Errors that are not the database's are not refusals.
 */
export function isRefused(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code !== undefined && !passing.test(error.code);
}
