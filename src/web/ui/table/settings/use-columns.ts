import { type CSSProperties, useMemo, useState } from 'react';
import { useLanguage } from '#web/preferences/language.ts';
import styles from '../data-table.module.css';
import { type Column, kinds } from '../table-column.ts';
import { type ColumnSettings, inOrder, readSettings, storeSettings, widthOf } from './column-settings.ts';

/** The classes of cells, by the kind of their column. */
const kindClasses: Partial<Record<keyof typeof kinds, string | undefined>> = {
  index: styles.kindIndex,
  number: styles.kindNumber,
  serial: styles.kindSerial,
  code: styles.kindCode,
  text: styles.kindText,
  prose: styles.kindProse,
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
export type VisibleColumn = Column<unknown> & { className: string; style: CSSProperties | undefined };

/** Pixels that a row's checkbox takes of the first column. */
const selectWidth = 24;

/**
 * The columns of a table as the user arranged them.
 * @param name of the stored settings; without it the columns have none
 * @returns the settings and their setter, the columns to draw, and the layout as CSS properties
 */
export function useColumns<T>(columns: readonly Column<T>[], name: string | undefined, selectable: boolean) {
  const [settings, setSettings] = useState(() => readSettings(name));
  const change = (changed: Partial<ColumnSettings>) => {
    const next = { ...settings, ...changed };
    setSettings(next);
    storeSettings(name, next);
  };

  const language = useLanguage();
  const { order, hidden, pinned } = settings;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language draws every row again
  const visible = useMemo(
    () =>
      inOrder(columns as readonly Column<unknown>[], order)
        .filter((column) => column.pinned || !hidden.includes(column.key))
        .map((column): VisibleColumn => {
          const isPinned = column.pinned || pinned.includes(column.key);
          const className = [
            kindClasses[column.kind],
            isPinned && styles.pinned,
            column.card && cardClasses[column.card],
          ].filter(Boolean);
          const style = isPinned ? { left: `var(--left-${column.key})` } : undefined;
          return { ...column, className: className.join(' '), style };
        }),
    [columns, order, hidden, pinned, language],
  );

  return { settings, change, visible, layout: layOut(settings, visible, selectable) };
}

/** The tracks of a row's grid, the least width of the table, and where pinned columns stop, one behind the other. */
function layOut(
  settings: ColumnSettings,
  visible: readonly VisibleColumn[],
  selectable: boolean,
): CSSProperties {
  const layout: Record<string, string> = {};
  let total = 0;
  let stop = 0;
  const tracks = visible.map((column, index) => {
    const { key, kind, style } = column;
    const least = widthOf(column, settings) + (selectable && index === 0 ? selectWidth : 0);
    total += least;
    if (style !== undefined) {
      layout[`--left-${key}`] = `${stop}px`;
      stop += least;
    }
    const { most } = kinds[kind];
    if (Object.hasOwn(settings.widths, key) || (most !== 'rest' && most <= least)) return `${least}px`;
    return `minmax(${least}px, ${most === 'rest' ? `${least}fr` : `${most}px`})`;
  });
  const last = tracks.length - 1;
  if (!tracks.some((track) => track.includes('fr')))
    tracks[last] = `minmax(${tracks[last]?.match(/\d+px/)}, 1fr)`;
  return { ...layout, '--columns': tracks.join(' '), '--least': `${total}px` } as CSSProperties;
}
