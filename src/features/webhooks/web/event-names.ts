import { eventNames } from '#features/audit/event-names.shared.ts';
import type { WebhookDelivery } from '../webhooks.contract.ts';

const names: Record<WebhookDelivery['event'], () => string> = eventNames;

/** Returns the name of an event on screen. */
export const nameEvent = (event: WebhookDelivery['event']): string => names[event]();
