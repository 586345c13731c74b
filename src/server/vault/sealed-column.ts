import { type Db, inTransaction, type Queryable } from '../db/db.ts';
import { declareSealedColumn, type SealedPlace } from './sealed-column.queries.ts';
import { findVault, type Purpose } from './vault.ts';

export type SealedColumn = {
  /**
   * Checks that every value can be opened.
   * @throws StartError if no key opens one
   */
  requireOpenable(db: Queryable): Promise<void>;
  /**
   * Seals with the current key all values in clear text or sealed with another key.
   * @returns the number of sealed values
   * @throws Error if no key opens one
   */
  reseal(db: Db): Promise<number>;
};

/** Declares a column with sealed secrets. Call it in a `.queries.ts` file, because it declares statements. */
export function sealedColumn(purpose: Purpose, place: SealedPlace): SealedColumn {
  const { findOther, listOthers, update } = declareSealedColumn(place);
  return {
    async requireOpenable(db) {
      const vault = findVault();
      const found = await findOther.first(db, { patterns: vault.openable });
      if (found) vault.open(purpose, found.value);
    },
    reseal(db) {
      const vault = findVault();
      return inTransaction(db, async (tx) => {
        const rows = await listOthers.all(tx, { mark: vault.mark });
        for (const { key, value } of rows) {
          await update.run(tx, { key, value: vault.seal(purpose, vault.open(purpose, value)) });
        }
        return rows.length;
      });
    },
  };
}
