/** The events that a webhook may ask for (docs/webhooks.md). */
const webhookEvents = [
  'ticket.completed',
  'ticket.cancelled',
  'device.changed',
  'source.down',
  'source.up',
  'invoice.issued',
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];
