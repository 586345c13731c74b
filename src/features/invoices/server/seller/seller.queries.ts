import { nullable, numeric, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const seller = { name: text, address: text, tax_number: text, bank: text, ppn_percent: nullable(numeric) };
export type SellerRow = RowOf<typeof seller>;

/** Finds the seller's data; undefined until they are first stored. */
export const findSeller = statement({
  text: 'SELECT name, address, tax_number, bank, ppn_percent FROM seller',
  row: seller,
}).firstWith();

/** Locks the seller's data until the transaction ends, also before they are first stored. */
export const lockSeller = statement({ text: "SELECT pg_advisory_xact_lock(hashtext('seller'))" }).runWith();

const upsert = statement({
  text: `INSERT INTO seller (name, address, tax_number, bank, ppn_percent) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET name = $1, address = $2, tax_number = $3, bank = $4, ppn_percent = $5`,
});

export async function replaceSeller(
  tx: Queryable,
  made: Omit<SellerRow, 'ppn_percent'> & { ppn_percent: number | null },
): Promise<void> {
  await upsert.run(tx, [made.name, made.address, made.tax_number, made.bank, made.ppn_percent]);
}
