import type { DeviceChanges } from '#features/devices/devices.contract.ts';
import { sortedField } from '#features/devices/fields.shared.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay } from '#web/format/format.ts';
import type { OwnField } from './fields/fields.api.ts';

type Field = keyof DeviceChanges;

const names: Record<Field, () => string> = {
  type: m.data_type,
  activation_status: m.data_status,
  purchase_date: m.data_purchase_date,
  warranty_title: m.data_warranty,
  coverage_start_date: m.data_coverage_start,
  coverage_end_date: m.data_coverage_end,
};

/**
 * Describes each changed field in words, own columns in their order.
 * @param isFirst the first answer about a device has no values before
 * @param own the own columns of the company, whose changes are those of `field.KEY`
 */
export function describeChanges(
  changes: Readonly<Record<string, readonly [string | null, string | null]>>,
  isFirst = false,
  own: readonly OwnField[] = [],
): string[] {
  const placeOf = (name: string) => own.findIndex(({ key }) => key === sortedField(name));
  const inOrder = Object.entries(changes).toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  return inOrder.map(([name, [before, after]]) => {
    const field = name as Field;
    const key = sortedField(name);
    const label = key === undefined ? names[field]() : (own.find((one) => one.key === key)?.name ?? key);
    const values = { field: label, after: describeValue(field, after) };
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
  // Values of own columns (`field.KEY`) are text.
  return field in names && field.endsWith('_date') ? formatDay(value) : value;
}
