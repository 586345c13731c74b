import { describeExpiry } from '#features/devices/coverage-expiry.shared.ts';
import type { Device } from '../devices.contract.ts';
import type { DeviceRow } from './devices.queries.ts';

/** Describes a device as the list and the JSON download answer it. @param today YYYY-MM-DD */
export function describeDevice(row: DeviceRow, today: string): Device {
  return {
    _id: String(row.id),
    serial_number: row.serial,
    company_code: row.company_code,
    type: row.type,
    activation_status: row.activation_status,
    purchase_date: row.purchase_date,
    warranty_title: row.warranty_title,
    coverage_start_date: row.coverage_start_date,
    coverage_end_date: row.coverage_end_date,
    coverage_expires: describeExpiry('done', row.coverage_end_date, today) ?? 'N/A',
    source: row.source,
    first_seen: row.first_seen.toISOString(),
    last_checked: row.last_checked.toISOString(),
    changed_at: row.changed_at?.toISOString() ?? null,
    fields: row.fields,
  };
}
