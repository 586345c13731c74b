import { int4, listColumns, nullable, numeric, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Seller } from '../../invoices.contract.ts';

const seller = {
  name: text,
  address: text,
  tax_number: text,
  bank: text,
  ppn_percent: nullable(numeric),
  version: int4,
};

/** Finds the seller's data; undefined until they are first stored. */
export const findSeller = statement({
  text: `SELECT ${listColumns(seller)} FROM seller`,
  row: seller,
}).firstWith();

/** Locks the seller's data until the transaction ends, also before they are first stored. */
export const lockSeller = statement({ text: "SELECT pg_advisory_xact_lock(hashtext('seller'))" }).runWith();

const upsert = statement({
  text: `INSERT INTO seller (name, address, tax_number, bank, ppn_percent) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET name = $1, address = $2, tax_number = $3, bank = $4, ppn_percent = $5, version = seller.version + 1`,
});

export async function replaceSeller(tx: Queryable, made: Seller): Promise<void> {
  await upsert.run(tx, [made.name, made.address, made.tax_number, made.bank, made.ppn_percent]);
}
