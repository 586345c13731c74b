import type { Queryable } from './db.ts';

/**
 * The next number of a gapless counter, from 1. The counter's row stays locked until the caller's transaction ends,
 * so take it as late as possible.
 * @param name `ticket`, `client:ACM`, `proxy-set:20261121`
 */
export async function takeNumber(tx: Queryable, name: string): Promise<number> {
  const { rows } = await tx.query<{ value: number }>(
    `INSERT INTO counters (name, value) VALUES ($1, 1)
     ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
     RETURNING value`,
    [name],
  );
  const value = rows[0]?.value;
  if (value === undefined) throw new Error(`the counter ${name} gave no number`);
  return value;
}
