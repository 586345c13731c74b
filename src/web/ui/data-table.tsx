import { memo, type ReactNode, useId } from 'react';
import type { Pagination } from '#shared/paging.ts';
import './data-table.css';

/** One column; declare columns outside the component, so that rows that did not change are not drawn again. */
export type Column<T> = {
  key: string;
  header: () => string;
  /** Pixels; the table is laid out by these alone, so that nothing moves when rows arrive. */
  width: number;
  align?: 'right';
  /** Cuts off what does not fit; a text is then told by its title. Clipping costs a fifth of drawing 1000 rows, so only columns that need it say so. */
  clip?: true;
  /** Tells the rows apart: it stays in sight while the others scroll. One column of a table at most. */
  pinned?: true;
  cell: (row: T, index: number) => ReactNode;
};

type Props<T> = {
  /** Names the table and its scrolling region. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Which page the rows are, as it was answered with them; the address may be a page ahead. Numbers the rows. */
  pagination?: Pagination | undefined;
  /** Draws this many empty rows in the final shape instead of `rows`. */
  loadingRows?: number;
};

/** Rows that are laid out together, and the height of one. */
const groupRows = 20;
const rowHeight = 36;
/** With more rows than this, those out of sight are left out of the layout, and of what screen readers are given. */
const mostLaidOut = 100;

type RowProps = { columns: readonly Column<unknown>[]; row: unknown; index: number; place: number };

const classOf = (pinned: true | undefined, look: string | undefined) =>
  pinned ? `pinned ${look ?? ''}` : look;

const TableRow = memo(function TableRow({ columns, row, index, place }: RowProps) {
  return (
    <tr role="row" aria-rowindex={place}>
      {columns.map(({ key, clip, align, pinned, cell }) => {
        const content = cell(row, index);
        const title = clip && typeof content === 'string' ? content : undefined;
        return (
          <td key={key} role="cell" className={classOf(pinned, clip ? 'clip' : align)} title={title}>
            {content}
          </td>
        );
      })}
    </tr>
  );
});

/**
 * A dense table: its head and its pinned column stick. Of many rows the browser lays out and paints
 * only the groups in sight, so that 1000 need no virtualisation. That takes another `display` than a table's own, under
 * which only explicit roles are sure to remain.
 */
export function DataTable<T>({ label, columns, rows, rowKey, pagination, loadingRows }: Props<T>) {
  const id = useId();
  const loading = loadingRows !== undefined;
  const count = loadingRows ?? rows.length;
  const offset = pagination ? (pagination.page - 1) * pagination.limit : 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form
    <div className="table-scroll" role="group" aria-labelledby={id} tabIndex={0}>
      <table
        role="table"
        className={count > mostLaidOut ? 'data-table long' : 'data-table'}
        aria-rowcount={count + 1}
        aria-labelledby={id}
        aria-busy={loading}
        style={{
          minWidth: columns.reduce((sum, column) => sum + column.width, 0),
          ['--columns' as string]: columns.map(({ width }) => `minmax(${width}px, ${width}fr)`).join(' '),
        }}
      >
        <caption id={id} className="sr-only">
          {label}
        </caption>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                className={classOf(column.pinned, column.align)}
              >
                {column.header()}
              </th>
            ))}
          </tr>
        </thead>
        {Array.from({ length: Math.ceil(count / groupRows) }, (_, group) => {
          const from = group * groupRows;
          const to = Math.min(from + groupRows, count);
          return (
            <tbody
              // biome-ignore lint/suspicious/noArrayIndexKey: a group is nothing but its place
              key={group}
              role="rowgroup"
              style={{ containIntrinsicBlockSize: `auto ${(to - from) * rowHeight}px` }}
            >
              {loading
                ? Array.from({ length: to - from }, (_, row) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                    <tr key={row} role="row">
                      {columns.map((column) => (
                        <td key={column.key} role="cell">
                          <span className="skeleton line" />
                        </td>
                      ))}
                    </tr>
                  ))
                : rows
                    .slice(from, to)
                    .map((row, index) => (
                      <TableRow
                        key={rowKey(row)}
                        columns={columns as readonly Column<unknown>[]}
                        row={row}
                        index={offset + from + index}
                        place={from + index + 2}
                      />
                    ))}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}
