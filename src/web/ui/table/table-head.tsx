import type { PointerEvent } from 'react';
import { m } from '#shared/texts/messages.js';
import type { Column } from './table-column.ts';
import { narrowest, widest } from './table-layout.ts';
import { placeOf } from './table-rows.tsx';

export type Sorting = {
  /** The column's `sort` that rows stand by now. */
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  onSort?: ((sort: string, order: 'asc' | 'desc') => void) | undefined;
};

type Props = Sorting & {
  columns: readonly Column<unknown>[];
  stops: ReadonlyMap<string, number>;
  onWidth: ((key: string, width: number) => void) | undefined;
  /** The state of "all of this page"; undefined where rows cannot be selected. */
  selected: 'all' | 'some' | 'none' | undefined;
  onSelectAll: (selected: boolean) => void;
};

/** The head of a table: names that sort where the screen can, widths that are drawn. */
export function TableHead({ columns, stops, sort, order, onSort, onWidth, selected, onSelectAll }: Props) {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {columns.map((column, at) => {
          const by = onSort && column.sort;
          const sorted = by !== undefined && by === sort;
          return (
            <th
              key={column.key}
              role="columnheader"
              scope="col"
              aria-sort={by ? (sorted ? (order === 'desc' ? 'descending' : 'ascending') : 'none') : undefined}
              {...placeOf(column, stops, column.align)}
            >
              {at === 0 && selected !== undefined && (
                <input
                  type="checkbox"
                  className="row-select"
                  aria-label={m.common_select_page()}
                  checked={selected === 'all'}
                  ref={(box) => {
                    if (box) box.indeterminate = selected === 'some';
                  }}
                  onChange={(event) => onSelectAll(event.target.checked)}
                />
              )}
              {by ? (
                <button
                  type="button"
                  className="sort"
                  onClick={() => onSort(by, sorted && order !== 'desc' ? 'desc' : 'asc')}
                >
                  {column.header()}
                </button>
              ) : (
                column.header()
              )}
              {onWidth && <Edge onWidth={(width) => onWidth(column.key, width)} />}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** The right edge of a column's head, to be drawn by the pointer; by keyboard the settings do the same. */
function Edge({ onWidth }: { onWidth: (width: number) => void }) {
  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    const edge = event.currentTarget;
    const from = event.clientX;
    const before = edge.parentElement?.offsetWidth ?? narrowest;
    const widthAt = (x: number) => Math.round(Math.min(widest, Math.max(narrowest, before + x - from)));
    edge.setPointerCapture(event.pointerId);
    const follow = ({ clientX }: globalThis.PointerEvent) => {
      edge.style.translate = `${widthAt(clientX) - before}px`;
    };
    const end = ({ clientX, type }: globalThis.PointerEvent) => {
      edge.removeEventListener('pointermove', follow);
      edge.removeEventListener('pointerup', end);
      edge.removeEventListener('pointercancel', end);
      edge.style.translate = '';
      if (type === 'pointerup' && clientX !== from) onWidth(widthAt(clientX));
    };
    edge.addEventListener('pointermove', follow);
    edge.addEventListener('pointerup', end);
    edge.addEventListener('pointercancel', end);
  };
  return <span className="column-edge" aria-hidden="true" onPointerDown={begin} />;
}
