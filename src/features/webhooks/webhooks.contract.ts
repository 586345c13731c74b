import { z } from 'zod';
import { basedOnVersion, companyFilter, idParams, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { webhookEvents } from './webhook-events.shared.ts';

const settings = {
  url: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .describe('The address that gets the events by POST: https, and no private address'),
  events: z
    .array(z.enum(webhookEvents))
    .min(1, 'server_webhook_no_event')
    .max(webhookEvents.length)
    .refine((events) => new Set(events).size === events.length, 'server_webhook_event_twice')
    .describe('The events to send; only superadmins get `source.down` and `source.up`'),
  active: z.boolean().describe('Whether events are sent'),
};

const webhook = z
  .object({
    _id: z.string(),
    ...settings,
    company_code: z.string().nullable().describe('Null: the events of all companies, for superadmins'),
    created_by: z
      .string()
      .nullable()
      .describe('The name of the creator, whom the mail about a failure goes to'),
    created_at: z.string(),
    failing_since: z.string().nullable().describe('The first failure since the latest success'),
    switched_off_at: z
      .string()
      .nullable()
      .describe('When it was switched off after a day of failures; null once somebody changed it'),
    old_secret_until: z
      .string()
      .nullable()
      .describe('Until then its renewed secret signs, too; null without such a secret'),
    version: z
      .int()
      .describe('Grows with every change of the settings, also when it is switched off after failures'),
  })
  .meta({ id: 'Webhook', description: 'An address that is told what happens' });
export type Webhook = z.infer<typeof webhook>;

const examples = [{ url: 'https://example.com/coverdesk', events: ['ticket.completed'], active: true }];
const order = z.object(settings).meta({ id: 'WebhookOrder', examples });
export type WebhookOrder = z.output<typeof order>;
const change = z.object({ ...settings, version: basedOnVersion }).meta({ id: 'WebhookChange', examples });
export type WebhookChange = z.output<typeof change>;

const withSecret = webhook
  .extend({ secret: z.string().describe('Signs every message, by Standard Webhooks') })
  .meta({ id: 'NewWebhook' });

const delivery = z
  .object({
    _id: z.string(),
    event: z.enum([...webhookEvents, 'webhook.test']),
    at: z.string().describe('When it happened'),
    attempts: z.int(),
    status: z
      .enum(['waiting', 'delivered', 'failed'])
      .describe('`failed`: given up, after about a day or when the webhook was switched off'),
    response_status: z.int().nullable().describe('The HTTP status of the latest answer'),
    error: z.string().nullable().describe('Why the latest attempt got no usable answer'),
    attempted_at: z.string().nullable(),
    duration_ms: z.int().nullable(),
    next_at: z
      .string()
      .nullable()
      .describe(
        'The time of the next attempt, as far as it is known now; null once it is delivered or given up',
      ),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to a webhook' });
export type WebhookDelivery = z.infer<typeof delivery>;

const deliveryParams = idParams.extend({ delivery_id: idParams.shape.id });

export const listWebhooks = endpoint({
  route: 'GET /webhooks',
  access: 'admin',
  summary: 'List webhooks, newest first, without their secrets',
  query: pagingQuery.extend({ company_code: companyFilter.optional() }),
  tagged: true,
  response: pageOf(webhook).meta({ id: 'WebhookPage' }),
});

export const createWebhook = endpoint({
  route: 'POST /webhooks',
  access: 'admin',
  summary: 'Create a webhook; its secret is answered this one time',
  body: order,
  status: 201,
  response: withSecret,
  failures: [409],
});

export const updateWebhook = endpoint({
  route: 'PUT /webhooks/{id}',
  access: 'admin',
  summary: 'Replace the settings of a webhook; switching it off gives up what waits',
  params: idParams,
  body: change,
  response: webhook,
  failures: [404, 409],
});

export const deleteWebhook = endpoint({
  route: 'DELETE /webhooks/{id}',
  access: 'admin',
  summary: 'Delete a webhook and its deliveries',
  params: idParams,
  response: messageAnswer,
  failures: [404],
});

export const renewWebhookSecret = endpoint({
  route: 'POST /webhooks/{id}/renew',
  access: 'admin',
  summary: 'Give a webhook a new secret, answered this one time; the one before signs for 24 hours, too',
  params: idParams,
  response: withSecret,
  failures: [404],
});

export const testWebhook = endpoint({
  route: 'POST /webhooks/{id}/test',
  access: 'admin',
  summary: 'Send the event `webhook.test` to a webhook, also while it is switched off',
  params: idParams,
  response: delivery,
  failures: [404, 429],
});

export const listDeliveries = endpoint({
  route: 'GET /webhooks/{id}/deliveries',
  access: 'admin',
  tagged: true,
  summary: 'List the deliveries of a webhook, newest first; ended ones for 30 days, at most 1,000',
  params: idParams,
  query: pagingQuery,
  response: pageOf(delivery).meta({ id: 'WebhookDeliveryPage' }),
  failures: [404],
});

export const getDelivery = endpoint({
  route: 'GET /webhooks/{id}/deliveries/{delivery_id}',
  access: 'admin',
  tagged: true,
  summary: 'Read a delivery with its message and the latest answer',
  params: deliveryParams,
  response: delivery
    .extend({
      webhook_id: z.string().describe('The header `webhook-id` of every attempt'),
      request_body: z.string().describe('The message as it is sent'),
      response_body: z.string().nullable().describe('The first 4 KB of the latest answer'),
    })
    .meta({ id: 'WebhookDeliveryDetails' }),
  failures: [404],
});

export const redeliver = endpoint({
  route: 'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver',
  access: 'admin',
  summary: 'Send a delivery again, or now if it waits, also while the webhook is switched off',
  params: deliveryParams,
  response: delivery,
  failures: [404, 429],
});
