import { steadyNow } from '#server/runtime/steady-clock.ts';

/** The longest timeout, because setTimeout fires at once above 24.8 days. */
const longestMs = 60_000;

/**
 * Calls back at the earliest of several times.
 * @param onDue called with the current time; it must set the timer again for rows that are not due yet
 */
export function createDueTimer(onDue: (now: number) => void) {
  let timer: NodeJS.Timeout | undefined;
  let next = Number.POSITIVE_INFINITY;
  const fire = () => {
    next = Number.POSITIVE_INFINITY;
    onDue(steadyNow());
  };
  return {
    /** Calls back at this time (`steadyNow`), or earlier. */
    set(due: number) {
      if (due >= next) return;
      clearTimeout(timer);
      next = due;
      timer = setTimeout(fire, Math.min(Math.max(due - steadyNow(), 1), longestMs));
    },
    stop: () => clearTimeout(timer),
  };
}
