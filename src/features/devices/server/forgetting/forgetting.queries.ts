import { int8 } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Locks the register against all others who add, change or delete several devices, until the transaction ends: they lock
 * their devices in different orders.
 */
export const lockRegister = statement({
  text: `SELECT pg_advisory_xact_lock(hashtext('register of devices'))`,
}).runWith();

/** Deletes devices under the lock, and counts the deletion for their companies, so that open screens notice it. */
const deletionOf = (ids: string) =>
  statement({
    text: `WITH gone AS (DELETE FROM devices WHERE id = ANY (${ids}) RETURNING company_code),
     noted AS (
       INSERT INTO device_deletions AS d (company_code, deletions)
       SELECT DISTINCT company_code, 1 FROM gone ORDER BY company_code
       ON CONFLICT (company_code) DO UPDATE SET deletions = d.deletions + 1)
     SELECT count(*) FROM gone`,
    row: { count: int8 },
  });

/** Deletes devices. @returns the number of deleted devices */
export const deleteDevices = deletionOf('$1::bigint[]').valueWith<[ids: number[]]>();

/** Deletes up to `limit` devices that only this ticket had. @returns the number of deleted devices */
export const deleteDevicesOf = deletionOf(
  'ARRAY(SELECT id FROM devices WHERE company_code = $1 AND tickets = ARRAY[$2::bigint] LIMIT $3)',
).valueWith<[companyCode: string, ticketNumber: number, limit: number]>();

/** Deletes up to `limit` devices that were not checked for so many days. @returns the number of deleted devices */
export const deleteUncheckedDevices = deletionOf(
  'ARRAY(SELECT id FROM devices WHERE last_checked < now() - make_interval(days => $1) LIMIT $2)',
).valueWith<[days: number, limit: number]>();
