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
  /** Whether it can be opened. */
  opens: boolean;
  /** Whether it is open. */
  open: boolean;
};

/** The class of a cell, and where it stops when it is pinned. */
export function placeOf(column: Column<unknown>, stops: ReadonlyMap<string, number>, look?: string) {
  const stop = stops.get(column.key);
  const classes = [look, stop !== undefined && 'pinned', column.card && `card-${column.card}`].filter(
    Boolean,
  );
  return {
    className: classes.join(' ') || undefined,
    style: stop !== undefined && stop > 0 ? { left: stop } : undefined,
  };
}

/** One row; drawn anew only when it, its columns or its selection changed. */
export const TableRow = memo(function TableRow(props: RowProps) {
  const { columns, stops, row, index, place, selected, onSelect, opens, open } = props;
  const select = (event: ChangeEvent<HTMLInputElement>) => {
    const { nativeEvent } = event;
    onSelect(place, event.target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  };
  return (
    <tr
      role="row"
      aria-rowindex={place}
      aria-current={open || undefined}
      className={selected ? 'selected' : undefined}
    >
      {columns.map((column, at) => {
        const { key, clip, align, cell, copy, words } = column;
        const spills = words?.spill?.(row) && columns[at + 1]?.givesWay;
        const content = cell(row, index);
        const title = clip && typeof content === 'string' ? content : undefined;
        const text = copy?.(row);
        return (
          <td
            key={key}
            role="cell"
            {...placeOf(
              column,
              stops,
              spills ? 'spills' : clip === 'word' ? 'clip word' : clip ? 'clip' : align,
            )}
            title={title}
          >
            {at === 0 && selected !== undefined && (
              <input
                type="checkbox"
                className="row-select"
                aria-label={m.common_select_row({ row: index + 1 })}
                checked={selected}
                onChange={select}
              />
            )}
            {opens && at === 0 ? (
              <button
                type="button"
                className="open-row"
                aria-label={m.common_open_row({ row: String(content) })}
              >
                {content}
              </button>
            ) : (
              content
            )}
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
export function EmptyRow({ columns }: { columns: readonly Pick<Column<unknown>, 'key' | 'card'>[] }) {
  return (
    <tr role="row">
      {columns.map(({ key, card }) => (
        <td key={key} role="cell" className={card && `card-${card}`}>
          <span className="skeleton line" />
        </td>
      ))}
    </tr>
  );
}
