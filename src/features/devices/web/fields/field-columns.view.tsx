import { useMemo } from 'react';
import { ownValue } from '#shared/own-value.ts';
import type { Column } from '#web/ui/table/table-column.ts';
import type { FieldValues, OwnField } from './fields.api.ts';

/** In pixels: half of a name, a type or a site can be read. With own columns a table scrolls rather than cutting texts shorter. */
const minTextWidth = 120;

/** Adds a column for each own column of a company to those of a table. */
export function useFieldColumns<Row extends { fields: FieldValues }>(
  columns: readonly Column<Row>[],
  fields: readonly OwnField[],
): readonly Column<Row>[] {
  return useMemo(
    () => [
      ...columns.map((column) =>
        fields.length > 0 && column.kind === 'text'
          ? { ...column, width: Math.max(minTextWidth, column.width ?? 0) }
          : column,
      ),
      ...fields.map(
        ({ key, name }): Column<Row> => ({
          key: `field.${key}`,
          card: 'below',
          header: () => name,
          kind: 'text',
          width: minTextWidth,
          sort: `field.${key}`,
          cell: (row) => ownValue(row.fields, key) ?? <span data-unknown>–</span>,
        }),
      ),
    ],
    [columns, fields],
  );
}
