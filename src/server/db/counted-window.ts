import { clockMarginMs } from '#server/runtime/clock-margin.ts';
import { timestamptz } from './column-types.ts';

/** The instants between which things count towards a limit. Later ones are from before the clock was set back. */
export type CountedWindow = { since: Date; until: Date };

/** Returns the window of the last so many milliseconds. */
export const windowBefore = (now: Date, ms: number): CountedWindow => ({
  since: new Date(now.getTime() - ms),
  until: new Date(now.getTime() + clockMarginMs),
});

/** The parameters of `isWithin`. */
export const windowParams = { since: timestamptz, until: timestamptz };

/** Returns the SQL condition that a stored time is within the window of the parameters. */
export const isWithin = (column: string) => `(${column} > :since AND ${column} <= :until)`;
