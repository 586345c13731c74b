import { text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** Lists the receivers of a company, or those that unsubscribed, were entered again and have not confirmed. */
export const listReceivers = statement({
  text: 'SELECT address FROM watch_receivers WHERE company_code = $1 AND state = $2 ORDER BY address',
  row: { address: text },
}).allValuesWith<[companyCode: string, state: 'active' | 'unconfirmed']>();

const deleteOthers = statement({
  text: `DELETE FROM watch_receivers WHERE company_code = $1 AND state = 'active' AND NOT address = ANY ($2::text[])`,
});
const changeState = statement({
  text: `UPDATE watch_receivers SET state = CASE state WHEN 'unsubscribed' THEN 'unconfirmed' ELSE 'unsubscribed' END
     WHERE company_code = $1 AND state <> 'active'
       AND (state = 'unsubscribed') = (lower(address) IN (SELECT lower(entered) FROM unnest($2::text[]) entered))`,
});
const insertMissing = statement({
  text: `INSERT INTO watch_receivers (company_code, address) SELECT $1, entered FROM unnest($2::text[]) entered
     WHERE NOT EXISTS (SELECT FROM watch_receivers r
       WHERE r.company_code = $1 AND r.state <> 'active' AND lower(r.address) = lower(entered))
     ON CONFLICT DO NOTHING`,
});

/**
 * Replaces the receivers of a company. Those who stay keep the token of their link. Those who once unsubscribed become
 * unconfirmed, and unsubscribed again when they are left out.
 */
export async function replaceReceivers(
  tx: Queryable,
  companyCode: string,
  addresses: string[],
): Promise<void> {
  await deleteOthers.run(tx, [companyCode, addresses]);
  await changeState.run(tx, [companyCode, addresses]);
  await insertMissing.run(tx, [companyCode, addresses]);
}

/** Takes the unconfirmed receivers of a company that were not asked within a week, and notes that they are asked now. */
export const takeUnasked = statement({
  text: `UPDATE watch_receivers r SET asked_at = now() FROM clients c
     WHERE r.company_code = $1 AND c.company_code = r.company_code AND state = 'unconfirmed'
       AND (asked_at IS NULL OR asked_at < now() - interval '7 days')
     RETURNING r.address, r.confirm_token, c.company_name`,
  row: { address: text, confirm_token: uuid, company_name: text },
}).allWith<[companyCode: string]>();

const receiver = { address: text, company_code: text, company_name: text };

export const findReceiver = statement({
  text: `SELECT r.address, r.company_code, c.company_name FROM watch_receivers r JOIN clients c USING (company_code)
     WHERE r.token = $1::uuid AND r.state <> 'unsubscribed'`,
  row: receiver,
}).firstWith<[token: string]>();

export const findUnconfirmed = statement({
  text: `SELECT r.address, r.company_code, c.company_name FROM watch_receivers r JOIN clients c USING (company_code)
     WHERE r.confirm_token = $1::uuid AND r.state = 'unconfirmed'`,
  row: receiver,
}).firstWith<[token: string]>();

const confirmOne = statement({
  text: `UPDATE watch_receivers SET state = 'active', confirm_token = gen_random_uuid(), asked_at = NULL
     WHERE company_code = $1 AND address = $2 AND state = 'unconfirmed'`,
});

/** Makes an unconfirmed address a receiver. @returns whether there was one */
export async function confirmReceiver(tx: Queryable, companyCode: string, address: string): Promise<boolean> {
  return (await confirmOne.run(tx, [companyCode, address])) > 0;
}

const unsubscribeOne = statement({
  text: `UPDATE watch_receivers SET state = 'unsubscribed' WHERE company_code = $1 AND address = $2 AND state <> 'unsubscribed'`,
});
const deleteMails = statement({
  text: 'DELETE FROM watch_mails WHERE company_code = $1 AND address = $2',
});

/** Notes that a receiver unsubscribed, and deletes the mails that wait for it. @returns whether there was one */
export async function unsubscribeReceiver(
  tx: Queryable,
  companyCode: string,
  address: string,
): Promise<boolean> {
  await deleteMails.run(tx, [companyCode, address]);
  return (await unsubscribeOne.run(tx, [companyCode, address])) > 0;
}
