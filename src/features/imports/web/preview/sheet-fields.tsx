import { NativeSelect } from '@mantine/core';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import type { SheetChoice } from '../upload-attempt.ts';

type Props = { preview: SheetPreview; onChoose: (choice: SheetChoice) => void };

const longestHead = 40;

/** The sheet and the column that are read, where there is a choice. */
export function SheetFields({ preview: { sheet, sheets, column, columns }, onChoose }: Props) {
  const options = columns.map(({ column: value, head }) => ({
    value,
    label: head === '' ? value : `${value} · ${head.slice(0, longestHead)}`,
  }));
  if (!options.some(({ value }) => value === column)) options.push({ value: column, label: column });
  if (sheets.length < 2 && options.length < 2) return null;
  return (
    <div className="sheet-fields">
      {sheets.length > 1 && (
        <NativeSelect
          name="sheet"
          label={m.preview_sheet()}
          value={sheet}
          data={sheets}
          onChange={({ target }) => onChoose({ sheet: target.value, column: null })}
        />
      )}
      {options.length > 1 && (
        <NativeSelect
          name="column"
          label={m.preview_column()}
          value={column}
          data={options}
          onChange={({ target }) => onChoose({ sheet, column: target.value })}
        />
      )}
    </div>
  );
}
