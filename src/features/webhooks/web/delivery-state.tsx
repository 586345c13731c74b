import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import type { WebhookDelivery } from '../webhooks.contract.ts';

const looks = {
  delivered: { tone: 'green', mark: 'check', name: m.webhooks_delivered },
  failed: { tone: 'red', mark: 'cross', name: m.webhooks_given_up },
  waiting: { tone: 'yellow', mark: 'clock', name: m.webhooks_waiting },
} as const;

/** The state of a delivery. */
export function DeliveryState({ status }: Pick<WebhookDelivery, 'status'>) {
  const { tone, mark, name } = looks[status];
  return (
    <StatusBadge tone={tone} mark={mark}>
      {name()}
    </StatusBadge>
  );
}
