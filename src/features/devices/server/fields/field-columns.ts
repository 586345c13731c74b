import type { ListSheet } from '#server/workbook/list-sheet.ts';
import { ownValue } from '#shared/own-value.ts';
import type { OwnField } from '../../fields.contract.ts';
import type { Values } from './field-values.queries.ts';

/** Returns a column of a sheet for each own column. */
export const layOutFields = (fields: readonly OwnField[]): ListSheet<{ fields: Values }>['columns'] =>
  fields.map(({ key, name }) => ({
    header: () => name,
    width: 22,
    cell: ({ fields: values }) => ownValue(values, key) ?? null,
  }));
