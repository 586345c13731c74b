import { type ChangeEvent, memo } from 'react';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import type { Shown } from './settings/use-columns.ts';

/** ARIA counts rows from 1, and the head is the first. */
export const firstRowIndex = 2;

type RowProps = {
  columns: readonly Shown[];
  row: unknown;
  index: number;
  place: number;
  /** Undefined where rows cannot be selected. */
  selected: boolean | undefined;
  /** `shift`: all rows from the one that was selected before. */
  onSelect: (place: number, selected: boolean, shift: boolean) => void;
  opens: boolean;
  open: boolean;
};

/** One row; drawn again only when the row, its columns or its selection changed. */
export const TableRow = memo(function TableRow(props: RowProps) {
  const { columns, row, index, place, selected, onSelect, opens, open } = props;
  const select = (event: ChangeEvent<HTMLInputElement>) => {
    const { nativeEvent } = event;
    onSelect(place, event.target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  };
  return (
    <tr
      role="row"
      aria-rowindex={place + firstRowIndex}
      aria-current={open || undefined}
      className={selected ? 'selected' : undefined}
    >
      {columns.map(({ key, kind, className, style, cell, copy }, at) => {
        const content = cell(row, index);
        const text = copy?.(row);
        return (
          <td
            key={key}
            role="cell"
            className={className}
            style={style}
            title={kind === 'text' && typeof content === 'string' ? content : undefined}
          >
            {at === 0 && selected !== undefined && (
              <input
                type="checkbox"
                className="row-select"
                aria-label={m.common_select_row({ row: formatNumber(index + 1) })}
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
            ) : kind === 'text' ? (
              <span className="two-lines">{content}</span>
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

export function EmptyRow({ columns }: { columns: readonly Shown[] }) {
  return (
    <tr role="row">
      {columns.map(({ key, className }) => (
        <td key={key} role="cell" className={className}>
          <span className="skeleton line" />
        </td>
      ))}
    </tr>
  );
}
