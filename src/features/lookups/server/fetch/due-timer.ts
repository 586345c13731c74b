import { steadyNow } from '#server/runtime/steady-clock.ts';

/** Calls back when the earliest of several times has come. */
export type DueTimer = {
  /** Calls back at this time (epoch ms), unless it does so earlier. */
  set(due: number): void;
  stop(): void;
};

/** A timer waits no longer than this: longer times than it takes would be none. */
const longestMs = 60_000;

/** @param onDue called with the present time; it sets the timer anew for what is not due yet */
export function createDueTimer(onDue: (now: number) => void): DueTimer {
  let timer: NodeJS.Timeout | undefined;
  let next = Number.POSITIVE_INFINITY;
  const fire = () => {
    next = Number.POSITIVE_INFINITY;
    onDue(steadyNow());
  };
  return {
    set(due) {
      if (due >= next) return;
      clearTimeout(timer);
      next = due;
      timer = setTimeout(fire, Math.min(Math.max(due - steadyNow(), 1), longestMs));
    },
    stop: () => clearTimeout(timer),
  };
}
