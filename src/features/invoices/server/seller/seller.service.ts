import { record } from '#features/audit/server/audit.service.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import type { Seller } from '../../invoices.contract.ts';
import { findSeller, lockSeller, replaceSeller } from './seller.queries.ts';

const unknown: Seller = { name: '', address: '', tax_number: '', bank: '', ppn_percent: null };

/** Reads the data of the company that issues the invoices; empty until they are first stored. */
export async function getSeller(db: Queryable): Promise<Seller> {
  const row = await findSeller(db);
  if (!row) return unknown;
  return { ...row, ppn_percent: row.ppn_percent === null ? null : Number(row.ppn_percent) };
}

/** Replaces the seller's data. Issued invoices keep theirs. */
export async function putSeller(db: Db, seller: Seller): Promise<Seller> {
  return inTransaction(db, async (tx) => {
    await lockSeller(tx);
    const before = await getSeller(tx);
    await replaceSeller(tx, seller);
    await record(tx, { action: 'seller.update', objectId: 'seller', before, after: seller });
    return getSeller(tx);
  });
}
