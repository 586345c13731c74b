import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const answer = statement({ name: 'answer', text: 'SELECT' });

/** Asks the database for nothing, so that it shows whether it answers. */
export async function askDatabase(db: Queryable): Promise<void> {
  await answer.run(db);
}
