import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Exchange } from '#features/sources/sources.contract.ts';
import type { Log } from '#server/runtime/log.ts';
import type { LookupRow } from '../rows/batch.ts';

const shownCharacters = 200;

/**
 * Logs a call that failed, at debug. How many fail is in the figures of their source.
 * @param exchange the last request and response of the call, with secrets masked
 */
export function logFailedCall(
  log: Log,
  source: string,
  { batch, position, serial }: LookupRow,
  outcome: Outcome,
  exchange: Exchange | undefined,
): void {
  if (!('error' in outcome) || outcome.is === 'unsent') return;
  // The log names no serial (docs/security.md).
  const hide = (text: string) => text.replaceAll(serial, '[serial]');
  const answer = exchange?.answer;
  log.debug(
    {
      source,
      ticketId: batch.ticketId,
      position,
      outcome: outcome.is,
      error: hide(outcome.error),
      ...(answer && { status: answer.status, body: hide(answer.body).slice(0, shownCharacters) }),
    },
    'a call to a source failed',
  );
}
