import { text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The most receivers of a reminder. */
export const maxReceivers = 20;

/** Whether the user `u` gets the reminders of a company: SQL for `companyCode`. */
export const getsReminders = (companyCode: string) =>
  `u.company_code = ${companyCode} AND u.role = 'company-admin' AND u.active`;

const list = statement({
  text: `SELECT email, name FROM users u WHERE ${getsReminders('$1')} ORDER BY id LIMIT ${maxReceivers}`,
  row: { email: text, name: text },
});

/** Lists the active administrators of a company, who get its reminders. */
export function listReminded(db: Queryable, companyCode: string) {
  return list.all(db, [companyCode]);
}

const note = statement({ text: 'UPDATE invoices SET reminded_at = $2 WHERE id = $1' });

/** Notes that the company of a locked invoice is reminded. */
export async function markReminded(tx: Queryable, id: number, at: Date): Promise<void> {
  await note.run(tx, [id, at]);
}
