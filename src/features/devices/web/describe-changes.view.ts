import type { DeviceChanges } from '#features/devices/devices.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay } from '#web/format/format.ts';

type Field = keyof DeviceChanges;

const names: Record<Field, () => string> = {
  type: m.data_type,
  activation_status: m.data_status,
  purchase_date: m.data_purchase_date,
  warranty_title: m.data_warranty,
  coverage_start_date: m.data_coverage_start,
  coverage_end_date: m.data_coverage_end,
};

/** Describes each changed field in words. @param isFirst the first answer about a device has no values before */
export function describeChanges(changes: DeviceChanges, isFirst = false): string[] {
  return Object.entries(changes).map(([name, [before, after]]) => {
    const field = name as Field;
    const values = { field: names[field](), after: describeValue(field, after) };
    return isFirst
      ? m.devices_change_first(values)
      : m.devices_change({ ...values, before: describeValue(field, before) });
  });
}

function describeValue(field: Field, value: string | null): string {
  if (value === null) return '–';
  if (field === 'activation_status') {
    return value === 'activated' ? m.data_activated() : m.data_unactivated();
  }
  return field.endsWith('_date') ? formatDay(value) : value;
}
