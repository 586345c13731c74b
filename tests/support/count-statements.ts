import type pg from 'pg';
import { holdLock } from './race.ts';
import { waitFor } from './wait.ts';

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

/** Starts calls while a table that they read is locked, so that they are all there once two statements of them wait. */
export function countStatementsAtOnce<T>(
  db: pg.Pool,
  table: string,
  start: () => Promise<T>,
): Promise<Counted<T>> {
  return holdLock(db, [`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, []], (letGo) =>
    countStatements(db, async (soFar) => {
      const result = start();
      // Its failure is told below; until then it must not count as unhandled.
      result.catch(() => undefined);
      await waitFor('the first statements', async () => soFar() >= 2);
      await letGo();
      return result;
    }),
  );
}
