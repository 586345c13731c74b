import { array, bool, int8, type RowOf, text, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const change = {
  company_code: text,
  device_id: int8,
  serial: text,
  ticket_number: int8,
  changed_at: timestamptz,
};

/** A device whose answer differs from the one before, and the ticket that asked. */
export type DeviceChange = RowOf<typeof change>;

const insert = statement({
  text: `INSERT INTO webhook_device_changes (company_code, device_id, serial, ticket_number, changed_at)
     SELECT :companyCode, * FROM unnest(:device_ids::bigint[], :serials::text[], :ticket_numbers::bigint[],
       :changed_ats::timestamptz[])
     WHERE EXISTS (SELECT FROM webhooks
       WHERE active AND 'device.changed' = ANY (events) AND (company_code IS NULL OR company_code = :companyCode))`,
  params: {
    companyCode: text,
    device_ids: array(int8),
    serials: array(text),
    ticket_numbers: array(int8),
    changed_ats: array(timestamptz),
  },
});

export async function insertDeviceChanges(
  tx: Queryable,
  companyCode: string,
  changes: DeviceChange[],
): Promise<void> {
  await insert.run(tx, {
    companyCode,
    device_ids: changes.map(({ device_id }) => device_id),
    serials: changes.map(({ serial }) => serial),
    ticket_numbers: changes.map(({ ticket_number }) => ticket_number),
    changed_ats: changes.map(({ changed_at }) => changed_at),
  });
}

export const hasDeviceChanges = statement({
  name: 'has-device-changes',
  text: 'SELECT EXISTS (SELECT FROM webhook_device_changes) AS found',
  row: { found: bool },
});

/** Locks the changes until the transaction ends, so that their events keep their order. @returns false if another holds it */
export const tryLockDeviceChanges = statement({
  text: `SELECT pg_try_advisory_xact_lock(hashtext('events of changed devices')) AS locked`,
  row: { locked: bool },
});

/** Deletes the oldest changes of one company, at most `limit`, and returns them in their order. */
export const takeDeviceChanges = statement({
  text: `WITH taken AS (
       DELETE FROM webhook_device_changes WHERE id IN (
         SELECT id FROM webhook_device_changes
         WHERE company_code = (SELECT company_code FROM webhook_device_changes ORDER BY id LIMIT 1)
         ORDER BY id LIMIT :limit)
       RETURNING *)
     SELECT company_code, device_id, serial, ticket_number, changed_at FROM taken ORDER BY id`,
  params: { limit: int8 },
  row: change,
});
