import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Exchange } from '#features/sources/sources.contract.ts';
import type { Log } from '#server/runtime/log.ts';
import type { LookupRow } from '../rows/batch.ts';

const summaryMs = 60_000;
const shownCharacters = 200;

export type FailedCalls = ReturnType<typeof createFailedCalls>;

/** Logs the calls that failed: each one at debug, and their numbers by source and outcome each minute at info. */
export function createFailedCalls(log: Log) {
  const counts = new Map<string, { source: string; outcome: Outcome['is']; calls: number }>();
  let timer: NodeJS.Timeout | undefined;
  const sumUp = () => {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size > 0) log.info({ failed: [...counts.values()] }, 'calls to sources failed');
    counts.clear();
  };
  return {
    /** Whether each one is logged, with the start of the source's answer. */
    get areDetailed() {
      return log.isLevelEnabled('debug');
    },
    /** @param exchange the last request and response of the call, with secrets masked */
    note(
      source: string,
      { batch, position, serial }: LookupRow,
      outcome: Outcome,
      exchange: Exchange | undefined,
    ) {
      if (!('error' in outcome) || outcome.is === 'unsent') return;
      const { is, error } = outcome;
      const key = `${source} ${is}`;
      const count = counts.get(key) ?? { source, outcome: is, calls: 0 };
      counts.set(key, { ...count, calls: count.calls + 1 });
      timer ??= setTimeout(sumUp, summaryMs).unref();
      if (!log.isLevelEnabled('debug')) return;
      // The log names no serial (docs/security.md).
      const hide = (text: string) => text.replaceAll(serial, '[serial]');
      const answer = exchange?.answer;
      log.debug(
        {
          source,
          ticketId: batch.ticketId,
          position,
          outcome: is,
          error: hide(error),
          ...(answer && { status: answer.status, body: hide(answer.body).slice(0, shownCharacters) }),
        },
        'a call to a source failed',
      );
    },
    /** Logs the numbers of the minute that has begun. */
    stop: sumUp,
  };
}
