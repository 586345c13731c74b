import type { Goal } from '../support/figures.ts';
import type { Stage } from '../support/stage.ts';
import { measureLookups } from '../table/lookup.ts';

export const goals: Goal[] = [
  { figure: 'lookups', unit: '/s', peer: 'bare undici loop', better: 'larger', goal: 0.32 },
  { figure: 'own memory that lookups add', unit: 'MB', better: 'smaller', goal: 80 },
];

/** Looks a million serials up once, less one: the head of their sheet counts towards the limit of an upload. */
export function measure(stage: Stage): Promise<void> {
  return measureLookups({ ...stage, rounds: 1 }, 999_999);
}
