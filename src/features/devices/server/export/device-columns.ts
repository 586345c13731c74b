import { describeExpiry, translateExpiry } from '#features/devices/coverage-expiry.shared.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { clockOf } from '#server/workbook/dates.ts';
import { dayCell } from '#server/workbook/day-cell.ts';
import type { ListSheet } from '#server/workbook/list-sheet.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { OwnField } from '../../fields.contract.ts';
import type { DeviceRow, ScopedDeviceQuery } from '../devices.queries.ts';
import { layOutFields } from '../fields/field-columns.ts';

/** Returns the sheet of devices. @param fields the own columns of their company */
export function layOutDevices(
  locale: Locale,
  { today, timeZone }: Pick<ScopedDeviceQuery, 'today' | 'timeZone'>,
  fields: readonly OwnField[],
): ListSheet<DeviceRow> {
  const clock = clockOf(timeZone);
  const writeInstant = (at: Date | null): Cell => at && { value: clock(at), form: 'instant' };
  const words = {
    activated: m.server_cell_activated({}, { locale }),
    unactivated: m.server_cell_unactivated({}, { locale }),
  };
  const columns: ListSheet<DeviceRow>['columns'] = [
    { header: m.server_column_serial, width: 20, cell: (row) => row.serial },
    { header: m.server_column_company, width: 12, cell: (row) => row.company_code },
    { header: m.server_column_type, width: 24, cell: (row) => row.type },
    {
      header: m.server_column_status,
      width: 18,
      cell: ({ activation_status: status }) => status && words[status],
    },
    { header: m.server_column_purchase_date, width: 15, cell: (row) => dayCell(row.purchase_date) },
    { header: m.server_column_warranty, width: 28, cell: (row) => row.warranty_title },
    { header: m.server_column_coverage_start, width: 15, cell: (row) => dayCell(row.coverage_start_date) },
    { header: m.server_column_coverage_end, width: 15, cell: (row) => dayCell(row.coverage_end_date) },
    {
      header: m.server_column_expires,
      width: 16,
      cell: ({ coverage_end_date: end }) =>
        translateExpiry(describeExpiry('done', end, today) ?? 'N/A', { locale }),
    },
    { header: m.server_column_source, width: 16, cell: (row) => row.source },
    { header: m.server_column_first_seen, width: 18, cell: (row) => writeInstant(row.first_seen) },
    { header: m.server_column_last_checked, width: 18, cell: (row) => writeInstant(row.last_checked) },
    { header: m.server_column_changed_at, width: 18, cell: (row) => writeInstant(row.changed_at) },
    ...layOutFields(fields),
  ];
  return { name: m.server_devices_sheet, columns };
}
