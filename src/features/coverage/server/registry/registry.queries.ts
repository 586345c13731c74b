import type { PoolClient } from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import type { Coverage } from '#features/coverage/coverage.contract.ts';
import type { Queryable } from '#server/db.ts';

/** What a list says of one device; undefined where it is not on the list. It never says models or activation. */
export async function findRegistryEntry(
  db: Queryable,
  source: string,
  serial: string,
): Promise<Coverage | undefined> {
  const { rows } = await db.query<Coverage>({
    name: 'find-registry-entry',
    text: `SELECT NULL AS type, NULL AS activation_status, purchase_date, warranty_title, coverage_start_date,
             coverage_end_date
           FROM registry_devices WHERE source = $1 AND serial = $2`,
    values: [source, serial],
  });
  return rows[0];
}

export type RegistryFacts = { source: string; devices: number; uploaded_at: Date };

/** How many devices each uploaded list has, and since when. */
export async function listRegistries(db: Queryable): Promise<RegistryFacts[]> {
  const { rows } = await db.query<RegistryFacts>('SELECT source, devices, uploaded_at FROM registries');
  return rows;
}

/** Empties a list inside the transaction that fills it anew; two uploads of one list wait for one another here. */
export async function clearRegistry(tx: Queryable, source: string): Promise<void> {
  await tx.query(
    `INSERT INTO registries (source, uploaded_at, devices) VALUES ($1, now(), 0)
     ON CONFLICT (source) DO UPDATE SET uploaded_at = now(), devices = 0`,
    [source],
  );
  await tx.query('DELETE FROM registry_devices WHERE source = $1', [source]);
}

/** Takes rows of a list in the text form of COPY (see copy-text.ts). */
export function copyRegistryRows(tx: Pick<PoolClient, 'query'>): CopyStreamQuery {
  return tx.query(
    from(
      `COPY registry_devices (source, serial, purchase_date, warranty_title, coverage_start_date, coverage_end_date)
       FROM STDIN`,
    ),
  );
}

/** Notes how many devices a list has now. */
export async function saveRegistrySize(tx: Queryable, source: string, devices: number): Promise<void> {
  await tx.query('UPDATE registries SET devices = $2 WHERE source = $1', [source, devices]);
}
