import { statement } from '#server/db/statement.ts';

/** Checks that the database responds. @throws Error of the database */
export const askDatabase = statement({ name: 'answer', text: 'SELECT' });
