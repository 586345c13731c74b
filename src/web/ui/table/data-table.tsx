import { type MouseEvent, type ReactNode, useCallback, useEffect, useId, useMemo, useRef } from 'react';
import type { Pagination } from '#shared/paging.ts';
import { useLanguage } from '#web/preferences/language.ts';
import type { Column } from './table-column.ts';
import { useEdges } from './table-edges.ts';
import { type Sorting, TableHead } from './table-head.tsx';
import { useTableKeys } from './table-keys.ts';
import { chooseColumns, findStops, layTracks, sumReadable, sumWidths } from './table-layout.ts';
import { rowHeights, useDensity, useTableLook } from './table-look.ts';
import { EmptyRow, TableRow } from './table-rows.tsx';
import { copyTexts, SelectionBar, useSelection } from './table-selection.tsx';
import { TableSettings } from './table-settings.tsx';
import { type Drawn, measureTexts } from './table-text-width.ts';
import './data-table.css';

type Props<T> = Sorting & {
  /** Names the table and its scrolling region. */
  label: string;
  /** What the look of its columns is remembered as; without it they stay as they are. */
  name?: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Which page the rows are, as it was answered with them; the address may be a page ahead. Numbers the rows. */
  pagination?: Pagination | undefined;
  /** Draws this many empty rows in the final shape instead of `rows`. */
  loadingRows?: number;
  /** Opens a row: by a press anywhere in it, by the button in its first column, and by Enter. */
  onOpen?: ((row: T) => void) | undefined;
  /** The key of the row that is open. */
  openKey?: string | undefined;
  /** Downloads the rows that are selected. */
  onDownload?: (rows: readonly T[]) => void;
};

/** Rows that are laid out together. */
const groupRows = 20;
/** With more rows than this, those out of sight are left out of the layout, and of what screen readers are given. */
const mostLaidOut = 100;
/** What a box to select by takes of the first column. */
const selectWidth = 26;
/** What the first and the last column have more of padding than the others. */
const edgePadding = 10;

/**
 * A dense table: its head and its pinned columns stick. Of many rows the browser lays out and paints
 * only the groups in sight, so that 1000 need no virtualisation. That takes another `display` than a table's own, under
 * which only explicit roles are sure to remain.
 */
export function DataTable<T>(props: Props<T>) {
  const { label, name, columns, rows, rowKey, pagination, loadingRows, onOpen, openKey, onDownload } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useEdges(frame);
  const [look, setLook] = useTableLook(name);
  const density = useDensity();
  const rowHeight = rowHeights[density];
  const loading = loadingRows !== undefined;
  const count = loadingRows ?? rows.length;
  const offset = pagination ? (pagination.page - 1) * pagination.limit : 0;
  const hasCards = columns.some(({ card }) => card !== undefined);
  const serialOf = columns.find(({ copy }) => copy)?.copy;

  const { order, hidden } = look;
  const language = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new language draws every row anew
  const shown = useMemo(() => {
    const chosen = chooseColumns(columns, { order, hidden });
    const [first, ...others] = chosen;
    return first && serialOf ? [{ ...first, width: first.width + selectWidth }, ...others] : chosen;
  }, [columns, order, hidden, serialOf, language]);
  const wanted = useMemo(() => {
    const end = shown.length - 1;
    return new Map(
      shown.flatMap((column, at) => {
        if (!column.clip && !column.words) return [];
        const more = (at === 0 || at === end ? edgePadding : 0) + (at === 0 && serialOf ? selectWidth : 0);
        return [[column.key, measureCells(rows, column, shown[at + 1]) + more] as const];
      }),
    );
  }, [shown, rows, serialOf]);
  const laid = shown.map((column) => ({ ...column, width: leastOf(column, wanted.get(column.key) ?? 0) }));
  const widths = laid.map(({ width }) => width).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same widths are the same stops, and draw no row anew
  const stops = useMemo(() => findStops(laid, look), [shown, widths, look]);

  const selection = useSelection(rows, rowKey);
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  });
  // One function for all rows and all times: rows that did not change are not drawn anew.
  const select = useCallback((place: number, selected: boolean, shift: boolean) => {
    latest.current.select(place - firstPlace, selected, shift);
  }, []);
  const copySelected = () => serialOf && copyTexts(selection.chosen.map(serialOf));

  useTableKeys(frame, {
    open:
      onOpen &&
      ((place) => {
        const row = rows[place];
        if (row !== undefined) onOpen(row);
      }),
    copy:
      serialOf &&
      ((place) => {
        const row = place === null ? undefined : rows[place];
        if (selection.chosen.length > 0) copySelected();
        else if (row !== undefined) copyTexts([serialOf(row)]);
      }),
    select:
      serialOf &&
      ((place) => {
        const row = rows[place];
        if (row !== undefined) selection.select(place, !selection.has(row), false);
      }),
  });

  const drawn = shown as readonly Column<unknown>[];
  const { length: chosen } = selection.chosen;
  return (
    <>
      <div
        ref={frame}
        className={`table-frame${name === undefined ? '' : ' has-settings'}${onOpen ? ' opens' : ''}`}
      >
        {name !== undefined && <TableSettings columns={columns} look={look} onLook={setLook} />}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form */}
        <div
          ref={scroller}
          className="table-scroll"
          role="group"
          aria-labelledby={id}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
        >
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons in it are pressed by keyboard, too */}
          <table
            role="table"
            className={`data-table ${density}${count > mostLaidOut ? ' long' : ''}${hasCards ? ' cards' : ''}`}
            aria-rowcount={count + 1}
            aria-labelledby={id}
            aria-busy={loading}
            style={{
              ['--least' as string]: `${sumWidths(laid, look)}px`,
              ['--scrolled' as string]: `${sumReadable(laid, look, wanted)}px`,
              ['--columns' as string]: layTracks(laid, look, wanted),
              ['--row' as string]: `${rowHeight}px`,
            }}
            onClick={(event) => {
              copyPressed(event);
              const row = onOpen && rows[pressedPlace(event) - firstPlace];
              if (row !== undefined) onOpen?.(row);
            }}
          >
            <caption id={id} className="sr-only">
              {label}
            </caption>
            <TableHead
              columns={drawn}
              stops={stops}
              sort={props.sort}
              order={props.order}
              onSort={props.onSort}
              onWidth={
                name === undefined
                  ? undefined
                  : (key, width) => setLook({ ...look, widths: { ...look.widths, [key]: width } })
              }
              selected={serialOf && (chosen === 0 ? 'none' : chosen === rows.length ? 'all' : 'some')}
              onSelectAll={selection.selectAll}
            />
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
                        <EmptyRow key={row} columns={drawn} />
                      ))
                    : rows
                        .slice(from, to)
                        .map((row, index) => (
                          <TableRow
                            key={rowKey(row)}
                            columns={drawn}
                            stops={stops}
                            row={row}
                            index={offset + from + index}
                            place={from + index + firstPlace}
                            selected={serialOf && selection.has(row)}
                            onSelect={select}
                            opens={onOpen !== undefined}
                            open={openKey !== undefined && openKey === rowKey(row)}
                          />
                        ))}
                </tbody>
              );
            })}
          </table>
        </div>
      </div>
      {chosen > 0 && (
        <SelectionBar
          count={chosen}
          onCopy={copySelected}
          onDownload={onDownload && (() => onDownload(selection.chosen))}
          onClear={() => selection.selectAll(false)}
        />
      )}
    </>
  );
}

/** Rows are counted from 1, and the head is the first. */
const firstPlace = 2;
const isText = (content: ReactNode) => typeof content === 'string';

/** The least pixels of a column: plain words that nothing cuts off are always whole. */
function leastOf<T>({ width, clip, words }: Column<T>, wanted: number): number {
  return words?.as === 'text' && !clip ? Math.max(width, wanted) : width;
}

/** Pixels that a column needs to show what all rows have in it whole. */
function measureCells<T>(rows: readonly T[], column: Column<T>, next: Column<T> | undefined): number {
  const { cell, words } = column;
  if (!words) return measureTexts(rows.map(cell).filter(isText));
  const { of, as, spill } = words;
  const texts = new Map<Drawn, Set<string>>();
  for (const row of rows) {
    if (next?.givesWay && spill?.(row)) continue;
    const drawn = typeof as === 'function' ? as(row) : as;
    texts.set(drawn, (texts.get(drawn) ?? new Set()).add(of(row)));
  }
  return Math.max(0, ...[...texts].map(([drawn, those]) => measureTexts([...those], drawn)));
}

/** One listener for a thousand buttons that copy. */
function copyPressed({ target }: MouseEvent) {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
  if (button?.dataset.copy !== undefined) copyTexts([button.dataset.copy]);
}

/** The place of the row that a press opens; none where a control of it was pressed, or a text of it marked. */
function pressedPlace({ target }: MouseEvent): number {
  if (!(target instanceof Element) || getSelection()?.isCollapsed === false) return Number.NaN;
  const control = target.closest('button, input, a');
  if (control !== null && !control.matches('.open-row')) return Number.NaN;
  return Number(target.closest('tbody > tr')?.getAttribute('aria-rowindex') ?? Number.NaN);
}
