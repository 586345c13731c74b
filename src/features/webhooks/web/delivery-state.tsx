import { m } from '#shared/texts/messages.js';
import { MarkBadge } from '#web/ui/badge/mark-badge.tsx';
import type { WebhookDelivery } from '../webhooks.contract.ts';

/** The state of a delivery. */
export function DeliveryState({ status }: Pick<WebhookDelivery, 'status'>) {
  if (status === 'delivered') {
    return (
      <MarkBadge tone="green" mark="check">
        {m.webhooks_delivered()}
      </MarkBadge>
    );
  }
  if (status === 'failed') {
    return (
      <MarkBadge tone="red" mark="cross">
        {m.webhooks_given_up()}
      </MarkBadge>
    );
  }
  return (
    <MarkBadge tone="yellow" mark="clock">
      {m.webhooks_waiting()}
    </MarkBadge>
  );
}
