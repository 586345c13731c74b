import type pg from 'pg';

/** What some work resolves with, and how many statements of a pool it took, each of which takes a connection. */
export type Counted<T> = { result: T; statements: number };

/** @param work is told how to ask how many it took so far */
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
