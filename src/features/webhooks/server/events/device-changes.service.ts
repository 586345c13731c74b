import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { dayIn } from '#shared/calendar-day.ts';
import {
  type DeviceChange,
  hasDeviceChanges,
  insertDeviceChanges,
  takeDeviceChanges,
  tryLockDeviceChanges,
} from './device-changes.queries.ts';
import { publishEvent } from './events.queries.ts';

/** The most devices of one event. */
const devicesPerEvent = 1000;

/**
 * Notes changed devices for their event, in the transaction that changes them. Nothing is written while no webhook asked
 * for them.
 */
export async function noteDeviceChanges(tx: Queryable, changes: DeviceChange[]): Promise<void> {
  for (const [companyCode, own] of Map.groupBy(changes, ({ company_code }) => company_code)) {
    await insertDeviceChanges(tx, companyCode, own);
  }
}

/**
 * Publishes events of the changes that were noted, each of one company.
 * @returns whether more may be left
 */
export async function publishDeviceChanges(db: Db, timeZone: string): Promise<boolean> {
  // Cheaper than a transaction.
  if (!(await hasDeviceChanges.one(db)).found) return false;
  return inTransaction(db, async (tx) => {
    if (!(await tryLockDeviceChanges.one(tx)).locked) return false;
    const changes = await takeDeviceChanges.all(tx, { limit: devicesPerEvent });
    const [first] = changes;
    if (!first) return false;
    const { company_code } = first;
    const earliest = new Date(Math.min(...changes.map(({ changed_at }) => changed_at.getTime())));
    await publishEvent(tx, {
      type: 'device.changed',
      companyCode: company_code,
      subject: `devices:${company_code}`,
      data: {
        company_code,
        count: changes.length,
        devices: changes.map(({ device_id, serial, ticket_number, changed_at }) => ({
          _id: String(device_id),
          serial_number: serial,
          ticket_number: String(ticket_number),
          changed_at: changed_at.toISOString(),
        })),
      },
      path: `/dashboard/devices?company_code=${company_code}&changed_since=${dayIn(timeZone, earliest)}`,
    });
    return true;
  });
}
