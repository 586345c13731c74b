/** The events that a webhook may ask for (docs/webhooks.md). */
export const webhookEvents = [
  'ticket.completed',
  'ticket.cancelled',
  'device.changed',
  'invoice.issued',
  'source.down',
  'source.up',
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

/** Returns whether only superadmins may ask for an event: sources serve all companies. */
export function isSourceEvent(event: string): boolean {
  return event.startsWith('source.');
}
