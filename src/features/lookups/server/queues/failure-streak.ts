import type { Outcome } from '#features/sources/server/configuration/source.ts';

/** A call in flight, as far as the failure streak is concerned. */
export type StreakCall = {
  /** It is over. */
  end(): void;
};

/**
 * Calls in a row that failed by the source's fault, or so it seems. A streak of three means that the source fails as a
 * whole, if no other call is in flight that could be answered or two of them began in the streak; a shorter one, that a
 * connection or a single serial met trouble of its own. It ends with a call that went well. As long as it lasts the
 * source is asked one call at a time beside those that were in flight.
 */
export type FailureStreak = {
  /** Whether a call may start, as far as the streak is concerned. */
  mayStart(): boolean;
  /** Counts a call that starts now. */
  start(): StreakCall;
  /** Takes the outcome of a call about a serial, once it is over. */
  record(call: StreakCall, outcome: Outcome, serial: string): void;
  /** The source answered another worker's call then (epoch ms). */
  setAnsweredAt(at: number): void;
  /** Forgets the streak: the circuit has opened or closed. */
  reset(): void;
  /** Whether the source is taken to fail as a whole. */
  readonly isFull: boolean;
  /** When the last answer arrived (epoch ms); -Infinity if none has. */
  readonly answeredAt: number;
};

const fullLength = 3;
const fullOwnLength = 2;

export function createFailureStreak(): FailureStreak {
  /** Failures to reach the source, and how many of their calls began in the streak. */
  let unreachable = { all: 0, own: 0 };
  /** Serials that were refused, however often; `own`: at calls that began in the streak. */
  let refused = { all: new Set<string>(), own: new Set<string>() };
  const inFlight = new Set<StreakCall>();
  /** The calls that began in the streak. */
  let own = new WeakSet<StreakCall>();
  let ownInFlight = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;

  const endUnreachable = () => {
    unreachable = { all: 0, own: 0 };
  };
  const reset = () => {
    endUnreachable();
    refused = { all: new Set(), own: new Set() };
    own = new WeakSet();
    ownInFlight = 0;
  };
  const isOn = () => unreachable.all + refused.all.size > 0;

  return {
    mayStart: () => !isOn() || ownInFlight === 0,
    start() {
      const call = {
        end() {
          inFlight.delete(call);
          if (own.has(call)) ownInFlight -= 1;
        },
      };
      inFlight.add(call);
      if (isOn()) {
        own.add(call);
        ownInFlight += 1;
      }
      return call;
    },
    record(call, outcome, serial) {
      switch (outcome.is) {
        case 'unreachable':
          unreachable.all += 1;
          if (own.has(call)) unreachable.own += 1;
          return;
        case 'auth':
        case 'quota':
          endUnreachable();
          if (own.has(call) && !refused.all.has(serial)) refused.own.add(serial);
          refused.all.add(serial);
          return;
        case 'proxy':
          return;
        case 'retry':
        case 'throttled':
          // It was reached; whether it accepts the account such an answer does not say.
          if (!('unanswered' in outcome)) endUnreachable();
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
      const isDecided = (all: number, ownCount: number) =>
        all >= fullLength && (inFlight.size === 0 || ownCount >= fullOwnLength);
      return isDecided(unreachable.all, unreachable.own) || isDecided(refused.all.size, refused.own.size);
    },
    get answeredAt() {
      return answeredAt;
    },
  };
}
