import { clockMarginMs } from '#server/runtime/clock-margin.ts';

/** Transactions of other processes may have begun so much later, and stored a later time. */
const marginSeconds = clockMarginMs / 1000;

/**
 * Returns the SQL condition that a stored time has come. One that is further away than its longest wait is from before the
 * database's clock was set back, and has come, too.
 */
export const hasCome = (column: string, maxWaitSeconds: number) =>
  `(${column} <= now() OR ${column} > now() + interval '${maxWaitSeconds + marginSeconds} seconds')`;
