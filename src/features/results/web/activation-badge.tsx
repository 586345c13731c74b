import type { CoverageRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { MarkBadge } from '#web/ui/mark-badge.tsx';

/** The four reasons that a row can have (decisions, section 4), in the language of the screens. */
const reasons: Record<string, () => string> = {
  'Invalid serial number': m.data_reason_invalid,
  'Not found': m.data_reason_not_found,
  'Source unavailable': m.data_reason_unavailable,
  'Rejected by source': m.data_reason_rejected,
};

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
      <MarkBadge tone="red" mark="cross" title={row.details ?? undefined}>
        {reasons[row.reason ?? '']?.() ?? row.reason ?? m.data_failed()}
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
