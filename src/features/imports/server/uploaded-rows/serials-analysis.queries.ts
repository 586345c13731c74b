import type pg from 'pg';
import { type Db, inTransaction } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

// Shorter than deadlock_timeout (1 s), after which PostgreSQL cancels an autovacuum that a statement waits for.
const limitWait = statement({ text: `SET LOCAL lock_timeout = '500ms'` });

const analyze = statement({ text: 'ANALYZE serials' });

/**
 * Updates the planner's statistics of `serials`.
 * @throws pg.DatabaseError 55P03 during other maintenance of the table
 */
export function analyzeSerials(db: Db): Promise<void> {
  return inTransaction(db, async (tx: pg.PoolClient) => {
    await limitWait.run(tx);
    await analyze.run(tx);
  });
}
