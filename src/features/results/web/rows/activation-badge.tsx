import type { ResultRow } from '#features/results/results.contract.ts';
import { translateDetails, translateReason } from '#shared/row-texts.ts';
import { m } from '#shared/texts/messages.js';
import { MarkBadge } from '#web/ui/feedback/mark-badge.tsx';

/** Some sources write it in capitals. */
const readActivation = (row: ResultRow) => row.activation_status?.toLowerCase();

/** What the badge of a row says: its activation status, why it failed, or that it waits. */
function nameOutcome(row: ResultRow): string {
  const { state, reason } = row;
  if (state === 'pending') return m.data_pending();
  if (state === 'failed') return reason === null ? m.data_failed() : translateReason(reason);
  const activation = readActivation(row);
  if (activation === 'activated') return m.data_activated();
  return activation === 'unactivated' ? m.data_unactivated() : '–';
}

/** A row's activation status; a failed row says why, a pending one waits. */
export function ActivationBadge({ row }: { row: ResultRow }) {
  const { state, details } = row;
  const activation = readActivation(row);
  const words = nameOutcome(row);
  if (state === 'pending') {
    return (
      <MarkBadge tone="yellow" mark="clock" title={words}>
        {words}
      </MarkBadge>
    );
  }
  if (state === 'failed') {
    return (
      <MarkBadge tone="red" mark="cross" title={details === null ? words : translateDetails(details)}>
        {words}
      </MarkBadge>
    );
  }
  const isActivated = activation === 'activated';
  if (!isActivated && activation !== 'unactivated') return words;
  return (
    <MarkBadge tone={isActivated ? 'green' : 'grey'} mark={isActivated ? 'check' : 'minus'} title={words}>
      {words}
    </MarkBadge>
  );
}
