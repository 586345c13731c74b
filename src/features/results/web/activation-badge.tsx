import type { CoverageRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import '#web/ui/status-badge.css';
import '#web/ui/status-marks.css';

/** The four reasons that a row can have (decisions, section 4), in the language of the screens. */
const reasons: Record<string, () => string> = {
  'Invalid serial number': m.data_reason_invalid,
  'Not found': m.data_reason_not_found,
  'Source unavailable': m.data_reason_unavailable,
  'Rejected by source': m.data_reason_rejected,
};

/**
 * A row's activation status; a failed row says why, a pending one waits. Looks like a `StatusBadge`, its icon drawn by
 * CSS: a thousand of them stand in one table.
 */
export function ActivationBadge({ row }: { row: CoverageRow }) {
  if (row.state === 'pending')
    return <span className="status-badge yellow mark-clock">{m.data_pending()}</span>;
  if (row.state === 'failed') {
    return (
      <span className="status-badge red mark-cross" title={row.details ?? undefined}>
        {reasons[row.reason ?? '']?.() ?? row.reason ?? m.data_failed()}
      </span>
    );
  }
  const status = row.activation_status?.toLowerCase();
  if (status === 'activated')
    return <span className="status-badge green mark-check">{m.data_activated()}</span>;
  if (status === 'unactivated')
    return <span className="status-badge grey mark-minus">{m.data_unactivated()}</span>;
  return '–';
}
