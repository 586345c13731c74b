import type pg from 'pg';

/** Returns the result of some work, and the number of statements that it ran on a pool. */
export type Counted<T> = { result: T; statements: number };

/** @param work gets a function that returns the number of statements so far */
export async function countStatements<T>(
  db: pg.Pool,
  work: (soFar: () => number) => Promise<T>,
): Promise<Counted<T>> {
  let statements = 0;
  const count = () => {
    statements += 1;
  };
  db.on('acquire', count);
  try {
    const result = await work(() => statements);
    return { result, statements };
  } finally {
    db.off('acquire', count);
  }
}
