import { int8, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const insert = statement({
  text: 'INSERT INTO own_imports (key, ticket_number) VALUES (:key, :ticketNumber) ON CONFLICT DO NOTHING',
  params: { key: text, ticketNumber: int8 },
});

/** Notes the ticket of a key. @returns false if the key has one already */
export async function insertOwnImport(tx: Queryable, key: string, ticketNumber: string): Promise<boolean> {
  return (await insert.run(tx, { key, ticketNumber: Number(ticketNumber) })) === 1;
}
