import type { ProxySet } from '#features/proxies/proxies.contract.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';

export function ProxySetBadge({ status }: Pick<ProxySet, 'status'>) {
  const isActive = status === 'Active';
  return (
    <StatusBadge tone={isActive ? 'green' : 'grey'} mark={isActive ? 'check' : 'minus'}>
      {isActive ? m.proxies_active() : m.proxies_inactive()}
    </StatusBadge>
  );
}
