import { type ChangeEvent, memo } from 'react';
import { m } from '#shared/texts/messages.js';
import type { Column } from './table-column.ts';

type RowProps = {
  columns: readonly Column<unknown>[];
  /** Where pinned columns stop. */
  stops: ReadonlyMap<string, number>;
  row: unknown;
  index: number;
  place: number;
  /** Undefined where rows cannot be selected. */
  selected: boolean | undefined;
  /** `shift`: all from the one chosen before. */
  onSelect: (place: number, selected: boolean, shift: boolean) => void;
};

/** The class of a cell, and where it stops when it is pinned. */
export function placeOf(column: Column<unknown>, stops: ReadonlyMap<string, number>, look?: string) {
  const stop = stops.get(column.key);
  if (stop === undefined) return { className: look };
  return { className: look ? `pinned ${look}` : 'pinned', style: stop > 0 ? { left: stop } : undefined };
}

/** One row; drawn anew only when it, its columns or its selection changed. */
export const TableRow = memo(function TableRow(props: RowProps) {
  const { columns, stops, row, index, place, selected, onSelect } = props;
  const select = (event: ChangeEvent<HTMLInputElement>) => {
    const { nativeEvent } = event;
    onSelect(place, event.target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  };
  return (
    <tr role="row" aria-rowindex={place} className={selected ? 'selected' : undefined}>
      {columns.map((column, at) => {
        const { key, clip, align, cell, copy } = column;
        const content = cell(row, index);
        const title = clip && typeof content === 'string' ? content : undefined;
        const text = copy?.(row);
        return (
          <td key={key} role="cell" {...placeOf(column, stops, clip ? 'clip' : align)} title={title}>
            {at === 0 && selected !== undefined && (
              <input
                type="checkbox"
                className="row-select"
                aria-label={m.common_select_row({ row: index + 1 })}
                checked={selected}
                onChange={select}
              />
            )}
            {content}
            {text !== undefined && (
              <button
                type="button"
                className="copy-cell"
                aria-label={m.common_copy_one({ text })}
                data-copy={text}
              />
            )}
          </td>
        );
      })}
    </tr>
  );
});

/** A row that is still to come, in the shape it will have. */
export function EmptyRow({ columns }: { columns: readonly { key: string }[] }) {
  return (
    <tr role="row">
      {columns.map(({ key }) => (
        <td key={key} role="cell">
          <span className="skeleton line" />
        </td>
      ))}
    </tr>
  );
}
