import type { CoverageRow } from '#features/results/results.contract.ts';
import { translateDetails, translateReason } from '#shared/row-texts.ts';
import { m } from '#shared/texts/messages.js';
import { MarkBadge } from '#web/ui/mark-badge.tsx';

/** A row's activation status; a failed row says why, a pending one waits. */
export function ActivationBadge({ row }: { row: CoverageRow }) {
  if (row.state === 'pending') {
    return (
      <MarkBadge tone="yellow" mark="clock">
        {m.data_pending()}
      </MarkBadge>
    );
  }
  if (row.state === 'failed') {
    return (
      <MarkBadge
        tone="red"
        mark="cross"
        title={row.details === null ? undefined : translateDetails(row.details)}
      >
        {row.reason === null ? m.data_failed() : translateReason(row.reason)}
      </MarkBadge>
    );
  }
  const status = row.activation_status?.toLowerCase();
  if (status === 'activated') {
    return (
      <MarkBadge tone="green" mark="check">
        {m.data_activated()}
      </MarkBadge>
    );
  }
  if (status === 'unactivated') {
    return (
      <MarkBadge tone="grey" mark="minus">
        {m.data_unactivated()}
      </MarkBadge>
    );
  }
  return '–';
}
