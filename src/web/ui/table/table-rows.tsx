import { type ChangeEvent, memo, type RefObject } from 'react';
import { m } from '#shared/texts/messages.js';
import { isElsewhere, useWindowKeys } from '#web/browser/keyboard.ts';
import { formatNumber } from '#web/format/format.ts';
import skeletons from '#web/ui/feedback/skeleton.module.css';
import styles from './data-table.module.css';
import type { VisibleColumn } from './settings/use-columns.ts';

/** ARIA counts rows from 1, and the head is the first. */
export const firstRowIndex = 2;

type RowProps = {
  columns: readonly VisibleColumn[];
  row: unknown;
  /** In the whole list, from 0. */
  index: number;
  indexOnPage: number;
  /** Undefined where rows cannot be selected. */
  selected: boolean | undefined;
  /** `shift`: selects all rows from the one that was selected before. */
  onSelect: ((indexOnPage: number, selected: boolean, shift: boolean) => void) | undefined;
  opens: boolean;
  open: boolean;
};

/** One row; drawn again only when the row, its columns or its selection changed. */
export const TableRow = memo(function TableRow(props: RowProps) {
  const { columns, row, index, indexOnPage, selected, onSelect, opens, open } = props;
  const select = (event: ChangeEvent<HTMLInputElement>) => {
    const { nativeEvent } = event;
    onSelect?.(indexOnPage, event.target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  };
  return (
    <tr
      role="row"
      aria-rowindex={indexOnPage + firstRowIndex}
      aria-current={open || undefined}
      className={selected ? styles.selected : undefined}
    >
      {columns.map(({ key, kind, card, header, className, style, cell, copy }, at) => {
        const content = cell(row, index);
        const text = copy?.(row);
        return (
          <td
            key={key}
            role="cell"
            className={className}
            style={style}
            data-head={card === 'below' ? header() : undefined}
            title={kind === 'text' && typeof content === 'string' ? content : undefined}
          >
            {at === 0 && selected !== undefined && (
              <input
                type="checkbox"
                className={styles.rowSelect}
                aria-label={m.common_select_row({ row: formatNumber(index + 1) })}
                checked={selected}
                onChange={select}
              />
            )}
            {opens && at === 0 ? (
              <button
                type="button"
                data-opens
                className={styles.openRow}
                aria-label={m.common_open_row({ row: String(content) })}
              >
                {content}
              </button>
            ) : kind === 'text' ? (
              <span className={styles.oneLine}>{content}</span>
            ) : (
              content
            )}
            {text !== undefined && (
              <button
                type="button"
                className={styles.copyCell}
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

export function EmptyRow({ columns }: { columns: readonly VisibleColumn[] }) {
  return (
    <tr role="row">
      {columns.map(({ key, className }) => (
        <td key={key} role="cell" className={className}>
          <span className={`${skeletons.skeleton} ${skeletons.line}`} />
        </td>
      ))}
    </tr>
  );
}

type Keys = {
  /** Opens the row that has the focus. */
  open: ((indexOnPage: number) => void) | undefined;
  /** Copies the selected rows, else the focused row. */
  copy: ((indexOnPage: number | null) => void) | undefined;
  select: ((indexOnPage: number) => void) | undefined;
};

/** A plain table has no role of its own. */
const dataTable = 'table[role="table"]';
const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>('tbody > tr[aria-rowindex]')];

/**
 * Keys for the first table on the screen: j and k move through the rows, Enter opens one, c copies, x selects. The row
 * itself gets the focus, so that screen readers read it.
 */
export function useTableKeys(frame: RefObject<HTMLElement | null>, { open, copy, select }: Keys): void {
  useWindowKeys((event) => {
    const table = frame.current;
    if (table === null || isElsewhere(event) || !table.contains(document.querySelector(dataTable))) return;
    const rows = rowsOf(table);
    const focused = document.activeElement;
    const indexOnPage = rows.indexOf(focused as HTMLElement);
    const go = (to: number) => {
      const row = rows[Math.max(0, Math.min(to, rows.length - 1))];
      if (!row) return;
      row.tabIndex = -1;
      row.focus();
    };
    const within = indexOnPage >= 0 ? indexOnPage : null;
    const acts: Record<string, (() => void) | undefined | null> = {
      j: () => go(indexOnPage + 1),
      k: () => go(indexOnPage - 1),
      Enter: open && within !== null ? () => open(within) : null,
      c: copy && (() => copy(within)),
      x: select && within !== null ? () => select(within) : null,
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
