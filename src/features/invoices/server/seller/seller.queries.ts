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
});

/** Locks the seller's data until the transaction ends, also before they are first stored. */
export const lockSeller = statement({ text: "SELECT pg_advisory_xact_lock(hashtext('seller'))" });

const upsert = statement({
  text: `INSERT INTO seller (name, address, tax_number, bank, ppn_percent)
     VALUES (:name, :address, :tax_number, :bank, :ppn_percent)
     ON CONFLICT (id) DO UPDATE SET name = :name, address = :address, tax_number = :tax_number, bank = :bank,
       ppn_percent = :ppn_percent, version = seller.version + 1`,
  params: { name: text, address: text, tax_number: text, bank: text, ppn_percent: nullable(numeric) },
});

export async function replaceSeller(tx: Queryable, data: Seller): Promise<void> {
  const ppn_percent = data.ppn_percent === null ? null : String(data.ppn_percent);
  await upsert.run(tx, { ...data, ppn_percent });
}
