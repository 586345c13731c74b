/** How far the clocks of two processes may differ. A stored time that is further ahead is from before a clock was set back. */
export const clockMarginMs = 60_000;
