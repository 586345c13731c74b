/** With pauses that double from one minute on, the last attempt is about 17 hours after the first. */
const maxAttempts = 11;
export const maxPauseSeconds = 60 * 2 ** (maxAttempts - 2);

/** Returns the seconds until stored work is tried again; undefined after the last attempt. */
export function retryPause(failedAttempts: number): number | undefined {
  return failedAttempts >= maxAttempts ? undefined : 60 * 2 ** (failedAttempts - 1);
}
