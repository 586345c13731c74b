import type { Outcome } from '#features/sources/server/configuration/source.ts';

/** A call in flight, counted by the failure streak. */
export type StreakCall = {
  end(): void;
};

export type FailureStreak = ReturnType<typeof createFailureStreak>;

const fullLength = 3;
const fullOwnLength = 2;

/**
 * Counts consecutive calls that seem to have failed by the source's fault. Three different refused serials fill it. So do
 * three failures to reach the source, if no other call is in flight, or if two of the three began during the streak. Fewer may
 * be a fault of one connection or one serial. An answered call ends the streak. During a streak, calls start one at a time.
 */
export function createFailureStreak() {
  /** The number of failures to reach the source; `own`: of calls that began during the streak. */
  let unreachable = { all: 0, own: 0 };
  const refusedSerials = new Set<string>();
  const inFlight = new Set<StreakCall>();
  let own = new WeakSet<StreakCall>();
  let ownInFlight = 0;

  const endUnreachable = () => {
    unreachable = { all: 0, own: 0 };
  };
  /** Clears the streak, because the circuit has opened or closed. */
  const reset = () => {
    endUnreachable();
    refusedSerials.clear();
    own = new WeakSet();
    ownInFlight = 0;
  };
  const isOn = () => unreachable.all + refusedSerials.size > 0;

  return {
    mayStart: () => !isOn() || ownInFlight === 0,
    start(): StreakCall {
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
    record(call: StreakCall, outcome: Outcome, serial: string) {
      switch (outcome.is) {
        case 'unreachable':
          unreachable.all += 1;
          if (own.has(call)) unreachable.own += 1;
          return;
        case 'auth':
        case 'quota':
          endUnreachable();
          refusedSerials.add(serial);
          return;
        case 'proxy':
          return;
        case 'retry':
        case 'throttled':
          // The source was reached, but such a response does not show whether it accepts the account.
          if (!('unanswered' in outcome)) endUnreachable();
          return;
        default:
          reset();
      }
    },
    reset,
    /** Whether the source counts as failing as a whole. */
    get isFull() {
      const isUndecided = inFlight.size > 0 && unreachable.own < fullOwnLength;
      return refusedSerials.size >= fullLength || (unreachable.all >= fullLength && !isUndecided);
    },
  };
}
