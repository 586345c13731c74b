import type { Outcome } from '../sources/source.ts';

/**
 * Calls in a row that failed by the source's fault, or so it seems. A streak of three means that the source fails as a
 * whole; a shorter one, that a connection or a single serial met trouble of its own. It ends with a call that went
 * well. As long as it lasts the source is asked one call at a time.
 */
export type FailureStreak = {
  /** Whether a call may start, as far as the streak is concerned. */
  mayStart(): boolean;
  /** Counts a call that starts now. @returns what ends it */
  start(): () => void;
  /** Takes the outcome of a call about a serial. */
  record(outcome: Outcome, serial: string): void;
  /** The source answered another worker's call then (epoch ms). */
  setAnsweredAt(at: number): void;
  /** Forgets the streak: the circuit has opened or closed. */
  reset(): void;
  /** Whether the source is taken to fail as a whole. */
  readonly isFull: boolean;
  /** When the last answer arrived (epoch ms); -Infinity if none has. */
  readonly answeredAt: number;
};

/** So many failures in a row open a circuit. */
const full = 3;

export function createFailureStreak(): FailureStreak {
  let unreachable = 0;
  /** A serial that is refused again and again is one failure. */
  let refused = new Set<string>();
  /** Calls in flight that began in the streak; replaced with it, so that those of an earlier one are not counted. */
  let inFlight = { count: 0 };
  let answeredAt = Number.NEGATIVE_INFINITY;

  const reset = () => {
    unreachable = 0;
    refused = new Set();
    inFlight = { count: 0 };
  };
  const isOn = () => unreachable + refused.size > 0;

  return {
    mayStart: () => !isOn() || inFlight.count === 0,
    start() {
      const mine = isOn() ? inFlight : { count: 0 };
      mine.count += 1;
      return () => {
        mine.count -= 1;
      };
    },
    record(outcome, serial) {
      switch (outcome.is) {
        case 'unreachable':
          unreachable += 1;
          return;
        case 'auth':
        case 'quota':
          unreachable = 0;
          refused.add(serial);
          return;
        case 'proxy':
          return;
        case 'retry':
        case 'throttled':
          // It was reached; whether it accepts the account such an answer does not say.
          if (!('unanswered' in outcome)) unreachable = 0;
          return;
        default:
          answeredAt = Date.now();
          reset();
      }
    },
    setAnsweredAt(at) {
      answeredAt = Math.max(answeredAt, at);
    },
    reset,
    get isFull() {
      return unreachable >= full || refused.size >= full;
    },
    get answeredAt() {
      return answeredAt;
    },
  };
}
