import { array, bool, int4, int8, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Locks the register against all others who add, change or delete several devices, until the transaction ends: they lock
 * their devices in different orders.
 */
export const lockRegister = statement({
  text: `SELECT pg_advisory_xact_lock(hashtext('register of devices'))`,
});

/**
 * SQL: deletes devices under the lock, and counts the deletion and their values of own columns for their companies, so that
 * open screens notice it. A trigger deletes the values.
 */
const deletionOf = (ids: string) =>
  `WITH gone AS (DELETE FROM devices WHERE id = ANY (${ids}) RETURNING company_code, serial),
     noted AS (
       INSERT INTO device_deletions AS d (company_code, deletions, value_changes)
       SELECT g.company_code, 1, count(f.serial)
       FROM gone g LEFT JOIN device_fields f ON f.company_code = g.company_code AND f.serial = g.serial
       GROUP BY g.company_code ORDER BY g.company_code
       ON CONFLICT (company_code) DO UPDATE
       SET deletions = d.deletions + 1, value_changes = d.value_changes + excluded.value_changes)
     SELECT count(*) FROM gone`;

/** Deletes devices. @returns the number of deleted devices */
export const deleteDevices = statement({
  text: deletionOf(':ids::bigint[]'),
  params: { ids: array(int8) },
  row: { count: int8 },
});

/** SQL condition: this ticket had an answer for a device, and no other ticket that still exists had one. */
const isOnlyOf = `tickets @> ARRAY[:ticketNumber::bigint] AND NOT EXISTS (
       SELECT FROM tickets t WHERE t.ticket_number = ANY (devices.tickets) AND t.ticket_number <> :ticketNumber)`;

/** SQL: the serials that other tickets of the company have as rows, of those in an array. Each ticket is asked for all at once. */
const othersOf = (
  serials: string,
) => `SELECT s.serial COLLATE "C" FROM tickets t JOIN serials s ON s.ticket_id = t.id
       WHERE t.company_code = :companyCode AND t.ticket_number <> :ticketNumber AND s.serial COLLATE "C" = ANY (${serials})`;

/**
 * Lists the next `limit` devices after a serial that are only of this ticket, and whether another ticket of the company has
 * them as a row.
 */
export const listDevicesOf = statement({
  text: `WITH slice AS MATERIALIZED (
       SELECT id, serial FROM devices
       WHERE company_code = :companyCode AND serial > :afterSerial AND ${isOnlyOf}
       ORDER BY serial LIMIT :limit)
     SELECT id, serial, serial IN (${othersOf('ARRAY(SELECT serial FROM slice)')}) AS shared FROM slice ORDER BY serial`,
  params: { companyCode: text, ticketNumber: int8, afterSerial: text, limit: int8 },
  row: { id: int8, serial: text, shared: bool },
});

/**
 * Deletes those of some devices for which this ticket alone had an answer, and which no other ticket of the company has as
 * a row.
 * @returns the number of deleted devices
 */
export const deleteDevicesOf = statement({
  text: deletionOf(`ARRAY(
       SELECT id FROM devices WHERE id = ANY (:ids::bigint[]) AND ${isOnlyOf}
         AND serial NOT IN (${othersOf('ARRAY(SELECT serial FROM devices WHERE id = ANY (:ids))')}))`),
  params: { companyCode: text, ids: array(int8), ticketNumber: int8 },
  row: { count: int8 },
});

/** Deletes up to `limit` devices that were not checked for so many days. @returns the number of deleted devices */
export const deleteUncheckedDevices = statement({
  text: deletionOf(
    'ARRAY(SELECT id FROM devices WHERE last_checked < now() - make_interval(days => :days) LIMIT :limit)',
  ),
  params: { days: int4, limit: int8 },
  row: { count: int8 },
});
