/** The signal of work that nothing ends early. */
export const neverAborts: AbortSignal = new AbortController().signal;
