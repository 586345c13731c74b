import { type PointerEvent, useRef } from 'react';
import { m } from '#shared/texts/messages.js';
import styles from './data-table.module.css';
import type { VisibleColumn } from './settings/use-columns.ts';
import type { Selection } from './table-selection.tsx';

export type Sorting = {
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  onSort?: ((sort: string, order: 'asc' | 'desc') => void) | undefined;
};

export type PageSelection = Pick<Selection<unknown>, 'pageState' | 'selectPage'>;

type Props = Sorting & {
  columns: readonly VisibleColumn[];
  /** Gets the width in pixels of a column whose edge was dragged; undefined where widths are not stored. */
  onWidth: ((key: string, width: number) => void) | undefined;
  /** Undefined where rows cannot be selected. */
  selection: PageSelection | undefined;
};

/** The head of a table: names that sort where the screen can, and edges that resize. */
export function TableHead(props: Props) {
  const { columns, onWidth, sort, order, onSort, selection } = props;
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {columns.map(({ key, header, className, style, sort: name }, at) => {
          const by = onSort && name;
          const sorted = by !== undefined && by === sort;
          return (
            <th
              key={key}
              role="columnheader"
              scope="col"
              aria-sort={by ? (sorted ? (order === 'desc' ? 'descending' : 'ascending') : 'none') : undefined}
              className={className}
              style={style}
            >
              {at === 0 && selection && <SelectPage selection={selection} />}
              {by ? (
                <button
                  type="button"
                  className={styles.sort}
                  onClick={() => onSort(by, sorted && order !== 'desc' ? 'desc' : 'asc')}
                >
                  {header()}
                </button>
              ) : (
                header()
              )}
              {onWidth && <Edge onWidth={(width) => onWidth(key, width)} />}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** A checkbox that selects all rows of the page. */
export function SelectPage({ id, selection }: { id?: string; selection: PageSelection }) {
  const { pageState, selectPage } = selection;
  return (
    <input
      id={id}
      type="checkbox"
      className={styles.rowSelect}
      aria-label={m.common_select_page()}
      checked={pageState === 'all'}
      disabled={pageState === 'empty'}
      ref={(box) => {
        if (box) box.indeterminate = pageState === 'some';
      }}
      onChange={(event) => selectPage(event.target.checked)}
    />
  );
}

/** The right edge of a column's head, which a pointer drags. The table's settings do the same by keyboard. */
function Edge({ onWidth }: { onWidth: (width: number) => void }) {
  const start = useRef<number>(null);
  const begin = ({ currentTarget: edge, clientX, pointerId }: PointerEvent<HTMLSpanElement>) => {
    edge.setPointerCapture(pointerId);
    start.current = clientX - (edge.parentElement?.offsetWidth ?? 0);
  };
  return (
    <span
      className={styles.columnEdge}
      aria-hidden="true"
      onPointerDown={begin}
      onPointerMove={({ clientX }) => start.current !== null && onWidth(Math.round(clientX - start.current))}
      onLostPointerCapture={() => {
        start.current = null;
      }}
    />
  );
}
