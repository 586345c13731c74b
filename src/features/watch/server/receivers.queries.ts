import { text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

export const listReceivers = statement({
  text: 'SELECT address FROM watch_receivers WHERE company_code = $1 ORDER BY address',
  row: { address: text },
}).allValuesWith<[companyCode: string]>();

const deleteOthers = statement({
  text: 'DELETE FROM watch_receivers WHERE company_code = $1 AND NOT address = ANY ($2::text[])',
});
const insertMissing = statement({
  text: `INSERT INTO watch_receivers (company_code, address) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
});

/** Replaces the receivers of a company. Those who stay keep the token of their link. */
export async function replaceReceivers(
  tx: Queryable,
  companyCode: string,
  addresses: string[],
): Promise<void> {
  await deleteOthers.run(tx, [companyCode, addresses]);
  await insertMissing.run(tx, [companyCode, addresses]);
}

export const findReceiver = statement({
  text: `SELECT r.address, r.company_code, c.company_name FROM watch_receivers r JOIN clients c USING (company_code)
     WHERE r.token = $1::uuid`,
  row: { address: text, company_code: text, company_name: text },
}).firstWith<[token: string]>();

const deleteOne = statement({
  text: 'DELETE FROM watch_receivers WHERE company_code = $1 AND address = $2',
});

/** Removes a receiver, and the mails that wait for it. @returns whether there was one */
export async function deleteReceiver(tx: Queryable, companyCode: string, address: string): Promise<boolean> {
  return (await deleteOne.run(tx, [companyCode, address])) > 0;
}
