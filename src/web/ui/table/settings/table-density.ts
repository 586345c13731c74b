import { createStore } from '#web/preferences/store.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';

export const densities = ['compact', 'normal', 'roomy'] as const;
type Density = (typeof densities)[number];

/** The height of a row in pixels. */
export const rowHeights: Readonly<Record<Density, number>> = { compact: 28, normal: 36, roomy: 44 };

const densityKey = 'coverdesk.density';
const density = createStore<Density>(densities.find((name) => name === readStored(densityKey)) ?? 'normal');

/** The height of rows in every table. */
export const useDensity = density.useValue;

/** Changes the height of rows in every table, and stores it. */
export function setDensity(next: Density): void {
  writeStored(densityKey, next);
  density.set(next);
}
