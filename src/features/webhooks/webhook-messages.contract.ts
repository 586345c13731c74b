import { z } from 'zod';
import type { WebhookEvent } from './webhook-events.shared.ts';

const count = z.int();
const url = z.string().describe('The screen about it');

const endedTicket = z.object({
  ticket_number: z.string(),
  company_code: z.string(),
  total: count.describe('Rows'),
  done: count,
  failed: count,
  activated: count,
  unactivated: count,
  deleted: z.boolean().describe('Whether the ticket or its uploaded rows are gone'),
  url,
});

const changedDevice = z.object({
  _id: z.string(),
  serial_number: z.string(),
  ticket_number: z.string().describe('The ticket that asked'),
  changed_at: z.string(),
});

const downCauses = ['down', 'auth', 'quota', 'proxies'] as const;

/** The `data` of a message, by its event. */
const dataOf = {
  'ticket.completed': endedTicket,
  'ticket.cancelled': endedTicket,
  'device.changed': z.object({
    company_code: z.string(),
    count,
    devices: z.array(changedDevice).max(1000),
    url,
  }),
  'invoice.issued': z.object({
    _id: z.string(),
    number: z.string(),
    company_code: z.string(),
    month: z.string().describe('The month of the statement, as `YYYY-MM`'),
    total: count.describe('Whole rupiah'),
    due_at: z.string().nullable().describe('The day by which it is to be paid'),
    url,
  }),
  'source.down': z.object({ source: z.string(), cause: z.enum(downCauses), url }),
  'source.up': z.object({ source: z.string(), url }),
  'webhook.test': z.object({ webhook_id: z.string(), url }),
};

/** The `data` that an event is published with. The `url` is added to its message. */
export type EventData<Event extends WebhookEvent> = Omit<z.infer<(typeof dataOf)[Event]>, 'url'>;

const message = <Event extends keyof typeof dataOf>(event: Event, id: string, summary: string) => ({
  summary,
  body: z
    .object({
      type: z.literal(event),
      timestamp: z.string().describe('When it happened'),
      data: dataOf[event],
    })
    .meta({ id }),
});

/** The messages of webhooks, by their event. */
export const webhookMessages = {
  'ticket.completed': message(
    'ticket.completed',
    'TicketCompletedMessage',
    'Every row has a result, again after a retry',
  ),
  'ticket.cancelled': message(
    'ticket.cancelled',
    'TicketCancelledMessage',
    'A ticket was cancelled, or deleted while it ran',
  ),
  'device.changed': message(
    'device.changed',
    'DeviceChangedMessage',
    'Answers about devices differ from the ones before',
  ),
  'invoice.issued': message('invoice.issued', 'InvoiceIssuedMessage', 'An invoice was issued'),
  'source.down': message('source.down', 'SourceDownMessage', 'A source is not asked, and its rows wait'),
  'source.up': message('source.up', 'SourceUpMessage', 'A source is asked again'),
  'webhook.test': message('webhook.test', 'WebhookTestMessage', 'Somebody tested this webhook'),
};
