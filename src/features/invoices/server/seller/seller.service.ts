import { record } from '#features/audit/server/audit.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { requireVersion } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import type { Seller, SellerSettings } from '../../invoices.contract.ts';
import { findSeller, lockSeller, replaceSeller } from './seller.queries.ts';

const unknown: SellerSettings = {
  name: '',
  address: '',
  tax_number: '',
  bank: '',
  ppn_percent: null,
  version: 0,
};

/** Reads the data of the company that issues the invoices; empty until they are first stored. */
export async function getSeller(db: Queryable): Promise<SellerSettings> {
  const row = await findSeller.first(db);
  if (!row) return unknown;
  return { ...row, ppn_percent: row.ppn_percent === null ? null : Number(row.ppn_percent) };
}

/**
 * Replaces the seller's data. Issued invoices keep theirs.
 * @throws AppError 409 when they have changed since the given version
 */
export async function putSeller(
  db: Db,
  caller: Caller,
  { version, ...seller }: Seller & { version?: number | undefined },
): Promise<SellerSettings> {
  return changeAs(db, caller, async (tx) => {
    await lockSeller.run(tx);
    const { version: currentVersion, ...before } = await getSeller(tx);
    requireVersion(version, currentVersion, m.server_settings_changed);
    await replaceSeller(tx, seller);
    await record(tx, { action: 'seller.update', objectId: 'seller', before, after: seller });
    return getSeller(tx);
  });
}
