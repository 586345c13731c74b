/** A thousand million million: exact in a double, and more than any company spends. */
export const maxBudget = 1_000_000_000_000_000;

/** The part of a budget from which on imports and screens warn. */
export const warnedPart = 0.8;
