import type { OwnField } from '#features/devices/fields.contract.ts';
import { type DeviceAnswer, layOutFields, type Values } from '#features/devices/server/devices.service.ts';
import { fill, type Text } from '#server/http/errors/errors.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { dayCell } from '#server/workbook/day-cell.ts';
import type { ListSheet } from '#server/workbook/list-sheet.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { ChangeKind } from '../../rechecks.contract.ts';

export function nameKinds(locale: Locale): Record<ChangeKind, string> {
  return {
    activated: m.server_change_activated({}, { locale }),
    extended: m.server_change_extended({}, { locale }),
    ended: m.server_change_ended({}, { locale }),
    not_found: m.server_change_not_found({}, { locale }),
    other: m.server_change_other({}, { locale }),
  };
}

/** A change as a row of a sheet. `before` and `after` are null where the answers are not known. */
export type SheetChange<Kind> = {
  serial: string;
  kind: Kind;
  before: DeviceAnswer | null;
  after: DeviceAnswer | null;
  fields: Values;
};

/** Returns the sheet of changes. @param kinds the names of their kinds @param fields the own columns of their company */
export function layOutChanges<Kind extends string>(
  locale: Locale,
  kinds: Record<Kind, string>,
  fields: readonly OwnField[],
): ListSheet<SheetChange<Kind>> {
  const words = {
    activated: m.server_cell_activated({}, { locale }),
    unactivated: m.server_cell_unactivated({}, { locale }),
  };
  /** A field as it was and as it is now. Both cells are empty where it did not change. */
  const compared = (field: Text, width: number, cell: (answer: DeviceAnswer) => Cell) =>
    (['before', 'after'] as const).map((side) => ({
      header: fill(side === 'before' ? m.server_change_before : m.server_change_after, {
        field: field({}, { locale }),
      }),
      width,
      cell: ({ before, after }: SheetChange<Kind>): Cell => {
        if (!before || !after || isSame(cell(before), cell(after))) return null;
        return cell(side === 'before' ? before : after);
      },
    }));
  const columns: ListSheet<SheetChange<Kind>>['columns'] = [
    { header: m.server_column_serial, width: 20, cell: (row) => row.serial },
    { header: m.server_change_kind, width: 18, cell: (row) => kinds[row.kind] },
    ...compared(m.server_column_status, 22, ({ activation_status: status }) => status && words[status]),
    ...compared(m.server_column_coverage_end, 22, (row) => dayCell(row.coverage_end_date)),
    ...compared(m.server_column_coverage_start, 22, (row) => dayCell(row.coverage_start_date)),
    ...compared(m.server_column_warranty, 28, (row) => row.warranty_title),
    ...compared(m.server_column_type, 24, (row) => row.type),
    ...compared(m.server_column_purchase_date, 22, (row) => dayCell(row.purchase_date)),
    ...layOutFields(fields),
  ];
  return { name: m.server_change_sheet, columns };
}

function isSame(one: Cell, other: Cell): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
