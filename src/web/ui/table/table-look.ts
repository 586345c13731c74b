import { useState } from 'react';
import { createStore } from '#web/preferences/store.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';
import { type Look, narrowest, plainLook, widest } from './table-layout.ts';

export const densities = ['compact', 'normal', 'roomy'] as const;
export type Density = (typeof densities)[number];

/** The height of a row. */
export const rowHeights: Readonly<Record<Density, number>> = { compact: 28, normal: 36, roomy: 44 };

const densityKey = 'coverdesk.density';
const density = createStore<Density>(densities.find((name) => name === readStored(densityKey)) ?? 'normal');

/** How high rows are, in every table. */
export const useDensity = density.useValue;

/** Changes the height of rows in every table, and remembers it. */
export function setDensity(next: Density): void {
  writeStored(densityKey, next);
  density.set(next);
}

const keyOf = (name: string) => `coverdesk.table.${name}`;
const texts = (value: unknown) =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

/** Reads what was remembered; anything that is no look is as if there were none. */
function readLook(name: string): Look {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(name)) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return plainLook;
    const { order, hidden, pinned, widths } = stored as Record<string, unknown>;
    const sized = Object.entries(typeof widths === 'object' && widths !== null ? widths : {}).filter(
      ([, width]) => typeof width === 'number' && width >= narrowest && width <= widest,
    );
    return {
      order: texts(order),
      hidden: texts(hidden),
      pinned: texts(pinned),
      widths: Object.fromEntries(sized),
    };
  } catch {
    return plainLook;
  }
}

/** How somebody wants the columns of the tables that share `name`; remembered. */
export function useTableLook(name: string | undefined): [Look, (look: Look) => void] {
  const [look, setLook] = useState(() => (name === undefined ? plainLook : readLook(name)));
  const change = (next: Look) => {
    if (name !== undefined) writeStored(keyOf(name), next === plainLook ? null : JSON.stringify(next));
    setLook(next);
  };
  return [look, change];
}
