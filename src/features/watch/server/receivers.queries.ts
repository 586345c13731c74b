import { array, text, textOf, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** Lists the receivers of a company, or those that unsubscribed, were entered again and have not confirmed. */
export const listReceivers = statement({
  text: 'SELECT address FROM watch_receivers WHERE company_code = :companyCode AND state = :state ORDER BY address',
  params: { companyCode: text, state: textOf<'active' | 'unconfirmed'>() },
  row: { address: text },
});

const deleteOthers = statement({
  text: `DELETE FROM watch_receivers WHERE company_code = :companyCode AND state = 'active'
       AND NOT address = ANY (:addresses::text[])`,
  params: { companyCode: text, addresses: array(text) },
});
const changeState = statement({
  text: `UPDATE watch_receivers SET state = CASE state WHEN 'unsubscribed' THEN 'unconfirmed' ELSE 'unsubscribed' END
     WHERE company_code = :companyCode AND state <> 'active'
       AND (state = 'unsubscribed') = (lower(address) IN (SELECT lower(entered) FROM unnest(:addresses::text[]) entered))`,
  params: { companyCode: text, addresses: array(text) },
});
const insertMissing = statement({
  text: `INSERT INTO watch_receivers (company_code, address) SELECT :companyCode, entered FROM unnest(:addresses::text[]) entered
     WHERE NOT EXISTS (SELECT FROM watch_receivers r
       WHERE r.company_code = :companyCode AND r.state <> 'active' AND lower(r.address) = lower(entered))
     ON CONFLICT DO NOTHING`,
  params: { companyCode: text, addresses: array(text) },
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
  await deleteOthers.run(tx, { companyCode, addresses });
  await changeState.run(tx, { companyCode, addresses });
  await insertMissing.run(tx, { companyCode, addresses });
}

/** Takes the unconfirmed receivers of a company that were not asked within a week, and notes that they are asked now. */
export const takeUnconfirmed = statement({
  text: `UPDATE watch_receivers r SET asked_at = now() FROM clients c
     WHERE r.company_code = :companyCode AND c.company_code = r.company_code AND state = 'unconfirmed'
       AND (asked_at IS NULL OR asked_at < now() - interval '7 days')
     RETURNING r.address, r.confirm_token, c.company_name`,
  params: { companyCode: text },
  row: { address: text, confirm_token: uuid, company_name: text },
});

const receiver = { address: text, company_code: text, company_name: text };

export const findReceiver = statement({
  text: `SELECT r.address, r.company_code, c.company_name FROM watch_receivers r JOIN clients c USING (company_code)
     WHERE r.token = :token::uuid AND r.state <> 'unsubscribed'`,
  params: { token: uuid },
  row: receiver,
});

export const findUnconfirmed = statement({
  text: `SELECT r.address, r.company_code, c.company_name FROM watch_receivers r JOIN clients c USING (company_code)
     WHERE r.confirm_token = :token::uuid AND r.state = 'unconfirmed'`,
  params: { token: uuid },
  row: receiver,
});

const confirmOne = statement({
  text: `UPDATE watch_receivers SET state = 'active', confirm_token = gen_random_uuid(), asked_at = NULL
     WHERE company_code = :companyCode AND address = :address AND state = 'unconfirmed'`,
  params: { companyCode: text, address: text },
});

/** Makes an unconfirmed address a receiver. @returns whether there was one */
export async function confirmReceiver(tx: Queryable, companyCode: string, address: string): Promise<boolean> {
  return (await confirmOne.run(tx, { companyCode, address })) > 0;
}

const unsubscribeOne = statement({
  text: `UPDATE watch_receivers SET state = 'unsubscribed' WHERE company_code = :companyCode AND address = :address
       AND state <> 'unsubscribed'`,
  params: { companyCode: text, address: text },
});
const deleteMails = statement({
  text: 'DELETE FROM watch_mails WHERE company_code = :companyCode AND address = :address',
  params: { companyCode: text, address: text },
});

/** Notes that a receiver unsubscribed, and deletes the mails that wait for it. @returns whether there was one */
export async function unsubscribeReceiver(
  tx: Queryable,
  companyCode: string,
  address: string,
): Promise<boolean> {
  await deleteMails.run(tx, { companyCode, address });
  return (await unsubscribeOne.run(tx, { companyCode, address })) > 0;
}
