import { copyInto } from '#server/db/bulk/copy-into.ts';
import { date, int4, nullable, text, textOf, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const entry = {
  purchase_date: nullable(date),
  warranty_title: nullable(text),
  coverage_start_date: nullable(date),
  coverage_end_date: nullable(date),
};

/**
 * Returns the coverage of a device in a registry; undefined if it is not listed. Models and activation are never
 * known.
 */
export const findRegistryEntry = statement({
  name: 'find-registry-entry',
  text: `SELECT NULL AS type, NULL AS activation_status, purchase_date, warranty_title, coverage_start_date,
             coverage_end_date
           FROM registry_devices WHERE source = :source AND serial = :serial`,
  params: { source: text, serial: text },
  row: {
    type: nullable(text),
    activation_status: nullable(textOf<'activated' | 'unactivated'>()),
    ...entry,
  },
});

/** Lists the size and upload time of each registry. */
export const listRegistries = statement({
  text: 'SELECT source, devices, uploaded_at FROM registries',
  row: { source: text, devices: int4, uploaded_at: timestamptz },
});

const reset = statement({
  text: `INSERT INTO registries (source, uploaded_at, devices) VALUES (:source, now(), 0)
     ON CONFLICT (source) DO UPDATE SET uploaded_at = now(), devices = 0`,
  params: { source: text },
});

const deleteDevices = statement({
  text: 'DELETE FROM registry_devices WHERE source = :source',
  params: { source: text },
});

/**
 * Empties a registry, in the transaction that fills it again. Two uploads of one registry wait for each other here.
 */
export async function clearRegistry(tx: Queryable, source: string): Promise<void> {
  await reset.run(tx, { source });
  await deleteDevices.run(tx, { source });
}

/** Copies rows into a registry, in the text form of COPY (see copy-line.ts). */
export const copyRegistryRows = copyInto('registry_devices', { source: text, serial: text, ...entry });

export const storeRegistrySize = statement({
  text: 'UPDATE registries SET devices = :devices WHERE source = :source',
  params: { source: text, devices: int4 },
});
