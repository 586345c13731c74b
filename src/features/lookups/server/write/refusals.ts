import pg from 'pg';

/**
 * SQLSTATE classes of failures that are transient or that an operator can fix: connections (08), ended or read-only
 * transactions (25), credentials (28), a missing database (3D), serialization failures and deadlocks (40), resources
 * (53), locks (55), shutdowns and timeouts (57), system errors (58).
 */
const transientClasses = /^(08|25|28|3D|40|53|55|57|58)/;

/**
 * Returns whether the database refuses a write and would refuse it again, because of a value, a constraint, a limit, or
 * a mistake in the statement or schema.
 */
export function isRefused(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code !== undefined && !transientClasses.test(error.code);
}
