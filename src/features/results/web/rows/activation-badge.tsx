import { Activation } from '#features/devices/web/coverage/activation.view.tsx';
import { translateDetails, translateReason } from '#features/imports/failure-texts.shared.ts';
import type { ResultRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';

/** A row's activation status; a failed row says why, a pending one waits. */
export function ActivationBadge({ row }: { row: ResultRow }) {
  const { state, reason, details } = row;
  if (state === 'pending') {
    return (
      <StatusBadge tone="yellow" mark="clock" title={m.data_pending()}>
        {m.data_pending()}
      </StatusBadge>
    );
  }
  if (state === 'done') return <Activation status={row.activation_status} />;
  const words = reason === null ? m.data_failed() : translateReason(reason);
  return (
    <StatusBadge tone="red" mark="cross" title={details === null ? words : translateDetails(details)}>
      {words}
    </StatusBadge>
  );
}
