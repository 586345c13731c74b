import { IconCircleCheck, IconCircleMinus } from '@tabler/icons-react';
import type { ProxySet } from '#features/proxies/proxies.contract.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';

/** Whether a set is in use or has expired. */
export function ProxySetBadge({ status }: Pick<ProxySet, 'status'>) {
  return status === 'Active' ? (
    <StatusBadge tone="green" icon={<IconCircleCheck aria-hidden="true" />}>
      {m.proxies_active()}
    </StatusBadge>
  ) : (
    <StatusBadge tone="grey" icon={<IconCircleMinus aria-hidden="true" />}>
      {m.proxies_inactive()}
    </StatusBadge>
  );
}
