import type { Outcome } from '#features/sources/server/configuration/source.ts';

export type FailureStreak = ReturnType<typeof createFailureStreak>;

const fullLength = 3;
const fullOwnLength = 2;

/** An empty streak. `own` counts the calls that begin during it. */
const createStreak = () => ({
  unreachable: { all: 0, own: 0 },
  refusedSerials: new Set<string>(),
  ownInFlight: 0,
});

/**
 * Counts consecutive calls that seem to have failed by the source's fault. Three different refused serials fill it. So do
 * three failures to reach the source, if no other call is in flight, or if two of the three began during the streak. Fewer may
 * be a fault of one connection or one serial. An answered call ends the streak. During a streak, calls start one at a time.
 */
export function createFailureStreak() {
  let streak = createStreak();
  let inFlight = 0;

  const isOn = () => streak.unreachable.all + streak.refusedSerials.size > 0;
  const endUnreachable = () => {
    streak.unreachable = { all: 0, own: 0 };
  };
  /** Clears the streak, because the circuit has opened or closed. */
  const reset = () => {
    streak = createStreak();
  };

  return {
    mayStart: () => !isOn() || streak.ownInFlight === 0,
    /** Starts a call, which ends before its outcome is recorded. */
    start() {
      /** The streak during which the call begins. */
      const during = isOn() ? streak : undefined;
      inFlight += 1;
      if (during) during.ownInFlight += 1;
      return {
        end() {
          inFlight -= 1;
          if (during) during.ownInFlight -= 1;
        },
        record(outcome: Outcome, serial: string) {
          switch (outcome.is) {
            case 'unreachable':
              streak.unreachable.all += 1;
              if (during === streak) streak.unreachable.own += 1;
              return;
            case 'auth':
            case 'quota':
              endUnreachable();
              streak.refusedSerials.add(serial);
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
      };
    },
    reset,
    /** Whether the source counts as failing as a whole. */
    get isFull() {
      const isUndecided = inFlight > 0 && streak.unreachable.own < fullOwnLength;
      return (
        streak.refusedSerials.size >= fullLength || (streak.unreachable.all >= fullLength && !isUndecided)
      );
    },
  };
}
