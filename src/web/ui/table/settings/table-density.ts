import { createStore } from '#web/preferences/store.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';

export const densities = ['compact', 'normal', 'roomy'] as const;
type Density = (typeof densities)[number];

export const rowHeights: Readonly<Record<Density, number>> = { compact: 28, normal: 36, roomy: 44 };

const densityKey = 'coverdesk.density';
const density = createStore<Density>(densities.find((name) => name === readStored(densityKey)) ?? 'normal');

export const useDensity = density.useValue;

export function setDensity(next: Density): void {
  writeStored(densityKey, next);
  density.set(next);
}
