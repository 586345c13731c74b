import { eventNames } from '#features/audit/event-names.shared.ts';
import type { WebhookDelivery } from '../webhooks.contract.ts';

const names: Record<WebhookDelivery['event'], () => string> = eventNames;

export const nameEvent = (event: WebhookDelivery['event']): string => names[event]();
