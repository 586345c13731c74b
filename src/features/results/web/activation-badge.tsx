import { IconCircleCheck, IconCircleMinus, IconCircleX, IconClock } from '@tabler/icons-react';
import type { CoverageRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** A row's activation status; a failed row gives its reason on hover, a pending one waits. */
export function ActivationBadge({ row }: { row: CoverageRow }) {
  if (row.state === 'pending') {
    return (
      <StatusBadge tone="yellow" icon={<IconClock aria-hidden="true" />}>
        {m.data_pending()}
      </StatusBadge>
    );
  }
  if (row.state === 'failed') {
    return (
      <span title={row.details ?? row.reason ?? undefined}>
        <StatusBadge tone="red" icon={<IconCircleX aria-hidden="true" />}>
          {row.reason ?? m.data_failed()}
        </StatusBadge>
      </span>
    );
  }
  const status = row.activation_status?.toLowerCase();
  if (status === 'activated') {
    return (
      <StatusBadge tone="green" icon={<IconCircleCheck aria-hidden="true" />}>
        {m.data_activated()}
      </StatusBadge>
    );
  }
  if (status === 'unactivated') {
    return (
      <StatusBadge tone="grey" icon={<IconCircleMinus aria-hidden="true" />}>
        {m.data_unactivated()}
      </StatusBadge>
    );
  }
  return '–';
}
