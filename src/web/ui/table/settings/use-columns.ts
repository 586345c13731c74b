import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  type ReactTable,
  type TableState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type CSSProperties, useEffect, useMemo, useState } from 'react';
import { useLanguage } from '#web/preferences/language.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';
import styles from '../data-table.module.css';
import { type Column, kinds } from '../table-column.ts';

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
});
type Settings = TableState<typeof features>;
export type ColumnTable = ReactTable<typeof features, object>;

/** The classes of cells, by the kind of their column. */
const kindClasses: Partial<Record<keyof typeof kinds, string | undefined>> = {
  index: styles.kindIndex,
  number: styles.kindNumber,
  serial: styles.kindSerial,
  code: styles.kindCode,
  text: styles.kindText,
  action: styles.kindAction,
};
/** The classes of cells, by their place in the two-line rows of phones. */
const cardClasses = {
  box: styles.cardBox,
  title: styles.cardTitle,
  state: styles.cardState,
  text: styles.cardText,
  line: styles.cardLine,
  more: styles.cardMore,
  end: styles.cardEnd,
  menu: styles.cardMenu,
  below: styles.cardBelow,
  none: styles.cardNone,
};

/** A column that is drawn, with the class and style of its cells. */
export type Shown = Column<unknown> & { className: string; style: CSSProperties | undefined };

const noRows: object[] = [];
const narrowest = 48;
const widest = 640;
/** Pixels that a row's checkbox takes of the first column. */
const selectWidth = 24;

/**
 * The columns of a table as the user arranged them.
 * @param name of the stored settings; without it nothing is stored
 * @returns the table of the library, the columns to draw, and the layout as CSS properties
 */
export function useColumns<T>(columns: readonly Column<T>[], name: string | undefined, selectable: boolean) {
  const definitions = useMemo(
    () =>
      columns.map(({ key, header, kind, width, pinned }) => ({
        id: key,
        header,
        size: width ?? kinds[kind].least,
        minSize: narrowest,
        maxSize: widest,
        enableHiding: !pinned,
        enablePinning: !pinned,
      })),
    [columns],
  );
  const [initialState] = useState(() => (name === undefined ? {} : readSettings(name)));
  const table = useTable({ features, columns: definitions, data: noRows, initialState });
  const { columnOrder, columnPinning, columnSizing, columnVisibility } = table.state;

  useEffect(() => {
    if (name !== undefined)
      storeSettings(name, { columnOrder, columnPinning, columnSizing, columnVisibility });
  }, [name, columnOrder, columnPinning, columnSizing, columnVisibility]);

  const language = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the settings decide what the table answers, a language draws every row again
  const shown = useMemo(() => {
    const byKey = new Map(columns.map((column) => [column.key, column as Column<unknown>]));
    return table.getVisibleLeafColumns().flatMap((placed): Shown[] => {
      const column = byKey.get(placed.id);
      if (column === undefined) return [];
      const isPinned = !placed.getCanPin() || placed.getIsPinned() !== false;
      const className = [
        kindClasses[column.kind],
        isPinned && styles.pinned,
        column.card && cardClasses[column.card],
      ].filter(Boolean);
      const style = isPinned ? { left: `var(--left-${column.key})` } : undefined;
      return [{ ...column, className: className.join(' '), style }];
    });
  }, [columns, columnOrder, columnPinning, columnVisibility, language]);

  return { table, shown, layout: layOut(table, shown, selectable) };
}

/** The tracks of a row's grid, the least width of the table, and where pinned columns stop, one behind the other. */
function layOut(table: ColumnTable, shown: readonly Shown[], selectable: boolean): CSSProperties {
  const { columnSizing } = table.state;
  const layout: Record<string, string> = {};
  let total = 0;
  let stop = 0;
  const tracks = shown.map(({ key, kind, style }, index) => {
    const least = (table.getColumn(key)?.getSize() ?? 0) + (selectable && index === 0 ? selectWidth : 0);
    total += least;
    if (style !== undefined) {
      layout[`--left-${key}`] = `${stop}px`;
      stop += least;
    }
    const { most } = kinds[kind];
    if (key in columnSizing || (most !== 'rest' && most <= least)) return `${least}px`;
    return `minmax(${least}px, ${most === 'rest' ? `${least}fr` : `${most}px`})`;
  });
  const last = tracks.length - 1;
  if (!tracks.some((track) => track.includes('fr')))
    tracks[last] = `minmax(${tracks[last]?.match(/\d+px/)}, 1fr)`;
  return { ...layout, '--columns': tracks.join(' '), '--least': `${total}px` } as CSSProperties;
}

const keyOf = (name: string) => `coverdesk.table.${name}`;
const texts = (value: unknown) =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

function readSettings(name: string): Partial<Settings> {
  try {
    const { order, hidden, pinned, widths } = JSON.parse(readStored(keyOf(name)) ?? '{}');
    const sized = Object.entries(widths ?? {}).filter(([, width]) => typeof width === 'number');
    return {
      columnOrder: texts(order),
      columnVisibility: Object.fromEntries(texts(hidden).map((key) => [key, false])),
      columnPinning: { start: texts(pinned), end: [] },
      columnSizing: Object.fromEntries(sized) as Record<string, number>,
    };
  } catch {
    return {};
  }
}

function storeSettings(name: string, settings: Settings): void {
  const stored = {
    order: settings.columnOrder,
    hidden: Object.entries(settings.columnVisibility).flatMap(([key, isShown]) => (isShown ? [] : [key])),
    pinned: settings.columnPinning.start,
    widths: settings.columnSizing,
  };
  const isPlain = Object.values(stored).every((setting) => Object.keys(setting).length === 0);
  writeStored(keyOf(name), isPlain ? null : JSON.stringify(stored));
}
