import type { DeviceAnswer } from '#features/devices/server/devices.service.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { writeDay } from '#server/workbook/day-cell.ts';
import type { ListSheet } from '#server/workbook/list-sheet.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { ChangeKind } from '../../rechecks.contract.ts';
import type { ChangeRow } from './changes.queries.ts';

export function nameKinds(locale: Locale): Record<ChangeKind, string> {
  return {
    activated: m.server_change_activated({}, { locale }),
    extended: m.server_change_extended({}, { locale }),
    ended: m.server_change_ended({}, { locale }),
    not_found: m.server_change_not_found({}, { locale }),
    other: m.server_change_other({}, { locale }),
  };
}

/** Returns the sheet of changes. */
export function layOutChanges(locale: Locale): ListSheet<ChangeRow> {
  const kinds = nameKinds(locale);
  const words = {
    activated: m.server_cell_activated({}, { locale }),
    unactivated: m.server_cell_unactivated({}, { locale }),
  };
  /** A field as it was and as it is now. Both cells are empty where it did not change. */
  const compared = (field: string, width: number, cell: (answer: DeviceAnswer) => Cell) =>
    (['before', 'after'] as const).map((side) => ({
      header: (side === 'before' ? m.server_change_before : m.server_change_after)({ field }, { locale }),
      width,
      cell: ({ before, after }: ChangeRow): Cell => {
        if (!before || !after || isSame(cell(before), cell(after))) return null;
        return cell(side === 'before' ? before : after);
      },
    }));
  const columns: ListSheet<ChangeRow>['columns'] = [
    { header: m.server_column_serial({}, { locale }), width: 20, cell: (row) => row.serial },
    { header: m.server_change_kind({}, { locale }), width: 18, cell: (row) => kinds[row.kind] },
    ...compared(
      m.server_column_status({}, { locale }),
      22,
      ({ activation_status: status }) => status && words[status],
    ),
    ...compared(m.server_column_coverage_end({}, { locale }), 22, (row) => writeDay(row.coverage_end_date)),
    ...compared(m.server_column_coverage_start({}, { locale }), 22, (row) =>
      writeDay(row.coverage_start_date),
    ),
    ...compared(m.server_column_warranty({}, { locale }), 28, (row) => row.warranty_title),
    ...compared(m.server_column_type({}, { locale }), 24, (row) => row.type),
    ...compared(m.server_column_purchase_date({}, { locale }), 22, (row) => writeDay(row.purchase_date)),
  ];
  return { name: m.server_change_sheet({}, { locale }), columns };
}

function isSame(one: Cell, other: Cell): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
