import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const answer = statement({ name: 'answer', text: 'SELECT' });

/** Checks that the database responds. @throws Error of the database */
export async function askDatabase(db: Queryable): Promise<void> {
  await answer.run(db);
}
