import { readStored, writeStored } from '#web/preferences/stored.ts';
import { type Column, kinds } from '../table-column.ts';

/** How the user arranged the columns of a table, by their keys. Columns that are not named are as they were declared. */
export type ColumnSettings = {
  order: readonly string[];
  hidden: readonly string[];
  pinned: readonly string[];
  /** In pixels. */
  widths: Readonly<Record<string, number>>;
};

export const defaultSettings: ColumnSettings = { order: [], hidden: [], pinned: [], widths: {} };

const narrowest = 48;
const widest = 640;

/** Returns the width of a column in pixels. */
export function widthOf(
  { key, kind, width = kinds[kind].least }: Pick<Column<never>, 'key' | 'kind' | 'width'>,
  { widths }: ColumnSettings,
): number {
  return Math.min(widest, Math.max(narrowest, widths[key] ?? width));
}

/** Returns columns in an order of keys. Those that it lacks come last. */
export function inOrder<C extends { key: string }>(columns: readonly C[], order: readonly string[]): C[] {
  const place = ({ key }: C) => (order.includes(key) ? order.indexOf(key) : order.length);
  return columns.toSorted((a, b) => place(a) - place(b));
}

const keyOf = (name: string) => `coverdesk.table.${name}`;
const texts = (value: unknown) =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

/** Reads stored settings. @param name of the table; without it none are stored */
export function readSettings(name: string | undefined): ColumnSettings {
  try {
    const stored = name === undefined ? null : readStored(keyOf(name));
    const { order, hidden, pinned, widths } = JSON.parse(stored ?? '{}');
    const sized = Object.entries(widths ?? {}).filter(([, width]) => typeof width === 'number');
    return {
      order: texts(order),
      hidden: texts(hidden),
      pinned: texts(pinned),
      widths: Object.fromEntries(sized) as Record<string, number>,
    };
  } catch {
    return defaultSettings;
  }
}

export function storeSettings(name: string | undefined, settings: ColumnSettings): void {
  if (name === undefined) return;
  const isPlain = Object.values(settings).every((setting) => Object.keys(setting).length === 0);
  writeStored(keyOf(name), isPlain ? null : JSON.stringify(settings));
}
