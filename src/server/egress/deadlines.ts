/** A timer this late means that the process was frozen or its event loop blocked. */
const freezeMs = 100;
/** After a freeze, the time to read responses that have arrived before a deadline passes. */
const readMs = 1000;

/**
 * Calls back when `ms` have passed. After a freeze, the process first reads responses that have arrived, so that a
 * response that came in time still counts.
 * @returns a function that cancels the deadline
 */
export function setDeadline(ms: number, onPassed: () => void): () => void {
  const at = performance.now() + ms;
  let timer = setTimeout(() => {
    if (performance.now() - at > freezeMs) timer = setTimeout(onPassed, readMs);
    else onPassed();
  }, ms);
  return () => clearTimeout(timer);
}
