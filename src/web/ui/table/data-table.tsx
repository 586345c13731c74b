import { type MouseEvent, useId, useRef } from 'react';
import type { Pagination } from '#shared/paging.ts';
import typography from '#web/styles/typography.module.css';
import { copyMarkedCells, copyTexts } from '#web/ui/action/clipboard.ts';
import { CardsHead } from './cards-head.tsx';
import styles from './data-table.module.css';
import { ScrollRegion } from './scroll-region.tsx';
import { rowHeights, useDensity } from './settings/table-density.ts';
import { TableSettings } from './settings/table-settings.tsx';
import { useColumns } from './settings/use-columns.ts';
import type { Column } from './table-column.ts';
import { type Sorting, TableHead } from './table-head.tsx';
import { EmptyRow, firstRowIndex, TableRow, useTableKeys } from './table-rows.tsx';
import type { Selection } from './table-selection.tsx';

type Props<T> = Sorting & {
  label: string;
  /** The name that the column settings are stored under; without it the columns have none. */
  name?: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** The pagination answered with the rows, which numbers them. The address may be a page ahead. */
  pagination?: Pagination | undefined;
  /** Draws this many empty rows in the final shape instead of `rows`. */
  loadingRows?: number;
  /** Opens a row: by a press anywhere in it, by the button in its first column, and by Enter. */
  onOpen?: ((row: T) => void) | undefined;
  openKey?: string | undefined;
  /** The selected rows; undefined where rows cannot be selected. */
  selection?: Selection<T> | undefined;
};

/** Rows that are laid out together. */
const groupRows = 20;
/** With more rows than this, those out of sight are left out of the layout and of the accessibility tree. */
const maxRowsLaidOut = 100;

/**
 * A dense table with sticky head and pinned columns. The browser lays out and paints only the visible groups of rows
 * (`content-visibility`), so 1000 rows need no virtualisation. This takes another `display` than a table has, which
 * removes the table semantics, so every element has an explicit role.
 */
export function DataTable<T>(props: Props<T>) {
  const { label, name, columns, rows, rowKey, pagination, loadingRows, onOpen, openKey, selection } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const density = useDensity();
  const rowHeight = rowHeights[density];
  const loading = loadingRows !== undefined;
  const count = loadingRows ?? rows.length;
  const offset = pagination ? (pagination.page - 1) * pagination.limit : 0;
  const hasCards = columns.every(({ card }) => card !== undefined);
  const copyTextOf = columns.find(({ copy }) => copy)?.copy;
  const { settings, change, visible, layout } = useColumns(columns, name, selection !== undefined);

  useTableKeys(frame, {
    open:
      onOpen &&
      ((indexOnPage) => {
        const row = rows[indexOnPage];
        if (row !== undefined) onOpen(row);
      }),
    copy:
      copyTextOf &&
      ((indexOnPage) => {
        const row = indexOnPage === null ? undefined : rows[indexOnPage];
        if (selection && selection.all.length > 0) copyTexts(selection.all.map(copyTextOf));
        else if (row !== undefined) copyTexts([copyTextOf(row)]);
      }),
    select:
      selection &&
      ((indexOnPage) => {
        const row = rows[indexOnPage];
        if (row !== undefined) selection.select(indexOnPage, !selection.has(row), false);
      }),
  });

  return (
    <div
      ref={frame}
      className={`${styles.tableFrame} ${name === undefined ? '' : styles.hasSettings} ${onOpen ? styles.opens : ''}`}
    >
      {name !== undefined && <TableSettings columns={columns} settings={settings} onChange={change} />}
      {hasCards && (
        <CardsHead
          columns={columns}
          sort={props.sort}
          order={props.order}
          onSort={props.onSort}
          selection={selection}
        />
      )}
      <ScrollRegion className={styles.tableScroll} labelledBy={id}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons in it are pressed by keyboard, too */}
        <table
          role="table"
          className={[
            styles.dataTable,
            density === 'compact' && styles.compact,
            count > maxRowsLaidOut && styles.long,
            hasCards && styles.cards,
          ]
            .filter(Boolean)
            .join(' ')}
          aria-rowcount={count + 1}
          aria-labelledby={id}
          aria-busy={loading}
          style={{ ...layout, ['--row' as string]: `${rowHeight}px` }}
          onCopy={copyMarkedCells}
          onClick={(event) => {
            copyPressed(event);
            const row = onOpen && rows[pressedIndex(event)];
            if (row !== undefined) onOpen?.(row);
          }}
        >
          <caption id={id} className={typography.srOnly}>
            {label}
          </caption>
          <TableHead
            columns={visible}
            onWidth={
              name === undefined
                ? undefined
                : (key, width) => change({ widths: { ...settings.widths, [key]: width } })
            }
            sort={props.sort}
            order={props.order}
            onSort={props.onSort}
            selection={selection}
          />
          {Array.from({ length: Math.ceil(count / groupRows) }, (_, group) => {
            const from = group * groupRows;
            const to = Math.min(from + groupRows, count);
            return (
              <tbody
                // biome-ignore lint/suspicious/noArrayIndexKey: a group is identified by its index
                key={group}
                role="rowgroup"
                style={{ containIntrinsicBlockSize: `auto ${(to - from) * rowHeight}px` }}
              >
                {loading
                  ? Array.from({ length: to - from }, (_, row) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                      <EmptyRow key={row} columns={visible} />
                    ))
                  : rows
                      .slice(from, to)
                      .map((row, index) => (
                        <TableRow
                          key={rowKey(row)}
                          columns={visible}
                          row={row}
                          index={offset + from + index}
                          indexOnPage={from + index}
                          selected={selection?.has(row)}
                          onSelect={selection?.select}
                          opens={onOpen !== undefined}
                          open={openKey !== undefined && openKey === rowKey(row)}
                        />
                      ))}
              </tbody>
            );
          })}
        </table>
      </ScrollRegion>
    </div>
  );
}

/** One listener for a thousand copy buttons. */
function copyPressed({ target }: MouseEvent) {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
  if (button?.dataset.copy !== undefined) copyTexts([button.dataset.copy]);
}

/** Returns the index on the page of the row that a press opens; NaN if a control was pressed or text is selected. */
function pressedIndex({ target }: MouseEvent): number {
  if (!(target instanceof Element) || getSelection()?.isCollapsed === false) return Number.NaN;
  const control = target.closest('button, input, a');
  if (control !== null && !control.matches('[data-opens]')) return Number.NaN;
  const row = target.closest('tbody > tr');
  return row === null ? Number.NaN : Number(row.getAttribute('aria-rowindex')) - firstRowIndex;
}
