import { memo, type ReactNode, useId } from 'react';
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
  cell: (row: T, index: number) => ReactNode;
};

type Props<T> = {
  /** Names the table and its scrolling region. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** The number of the first row shown, less one. */
  offset?: number;
  /** Draws this many empty rows in the final shape instead of `rows`. */
  loadingRows?: number;
};

type RowProps = { columns: readonly Column<unknown>[]; row: unknown; index: number };

const TableRow = memo(function TableRow({ columns, row, index }: RowProps) {
  return (
    <tr>
      {columns.map(({ key, clip, align, cell }) => {
        const content = cell(row, index);
        const title = clip && typeof content === 'string' ? content : undefined;
        return (
          <td key={key} className={clip ? 'clip' : align} title={title}>
            {content}
          </td>
        );
      })}
    </tr>
  );
});

/** A dense table: sticky head, the first two columns stick on narrow screens, 1000 rows without virtualisation. */
export function DataTable<T>({ label, columns, rows, rowKey, offset = 0, loadingRows }: Props<T>) {
  const id = useId();
  const loading = loadingRows !== undefined;
  const [first, second] = columns;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form
    <div className="table-scroll" role="group" aria-labelledby={id} tabIndex={0}>
      <table
        className="data-table"
        aria-busy={loading}
        style={{
          minWidth: columns.reduce((sum, column) => sum + column.width, 0),
          ['--first' as string]: `${first?.width ?? 0}px`,
          ['--second' as string]: `${second?.width ?? 0}px`,
        }}
      >
        <caption id={id} className="sr-only">
          {label}
        </caption>
        <colgroup>
          {columns.map((column) => (
            <col key={column.key} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={column.align}>
                {column.header()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {loading
            ? Array.from({ length: loadingRows }, (_, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                <tr key={row}>
                  {columns.map((column) => (
                    <td key={column.key}>
                      <span className="skeleton line" />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row, index) => (
                <TableRow
                  key={rowKey(row)}
                  columns={columns as readonly Column<unknown>[]}
                  row={row}
                  index={offset + index}
                />
              ))}
        </tbody>
      </table>
    </div>
  );
}
