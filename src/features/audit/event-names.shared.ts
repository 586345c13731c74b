import { m } from '#shared/texts/messages.js';

/** The names of the events that webhooks get. */
export const eventNames = {
  'ticket.completed': m.webhooks_ticket_completed,
  'ticket.cancelled': m.webhooks_ticket_cancelled,
  'device.changed': m.webhooks_device_changed,
  'invoice.issued': m.webhooks_invoice_issued,
  'source.down': m.webhooks_source_down,
  'source.up': m.webhooks_source_up,
  'webhook.test': m.webhooks_test_event,
};
