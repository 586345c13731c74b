import { text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** The most receivers of a reminder. */
export const maxReceivers = 20;

/** Whether the user `u` gets the reminders of a company: SQL for `companyCode`. */
export const getsReminders = (companyCode: string) =>
  `u.company_code = ${companyCode} AND u.role = 'company-admin' AND u.active`;

/** Lists the active administrators of a company, who get its reminders. */
export const listReminded = statement({
  text: `SELECT email, name FROM users u WHERE ${getsReminders('$1')} ORDER BY id LIMIT ${maxReceivers}`,
  row: { email: text, name: text },
}).allWith<[companyCode: string]>();

export const markReminded = statement({ text: 'UPDATE invoices SET reminded_at = $2 WHERE id = $1' }).runWith<
  [id: number, at: Date]
>();
