import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/webhooks/webhooks.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { polled } from '#web/client/query-client.ts';

export type { Webhook, WebhookDelivery } from '#features/webhooks/webhooks.contract.ts';

/** One page of the webhooks; the page before stays on screen until the next one is there. */
export const webhookPage = (page: number, limit: number) =>
  queryOptions({
    ...polled,
    queryKey: ['webhooks', 'page', page, limit],
    queryFn: ({ signal }) =>
      call<typeof contract.listWebhooks>('GET /webhooks', { query: { page, limit } }, signal),
    placeholderData: keepPreviousData,
  });

const refreshMs = 3000;

/** One page of the deliveries of a webhook, read again while one of them waits. */
export const deliveryPage = (id: string, page: number, limit: number) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', page, limit],
    queryFn: ({ signal }) =>
      call<typeof contract.listDeliveries>(
        'GET /webhooks/{id}/deliveries',
        { params: { id }, query: { page, limit } },
        signal,
      ),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ status }) => status === 'waiting') ? refreshMs : false,
  });

/** A delivery with its message and the latest answer. */
export const deliveryQuery = (id: string, delivery_id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'delivery', delivery_id],
    queryFn: ({ signal }) =>
      call<typeof contract.getDelivery>(
        'GET /webhooks/{id}/deliveries/{delivery_id}',
        { params: { id, delivery_id } },
        signal,
      ),
  });

export type WebhookOrder = Body<typeof contract.createWebhook>;

export const createWebhook = (body: WebhookOrder) =>
  call<typeof contract.createWebhook>('POST /webhooks', { body });

export const updateWebhook = (id: string, body: WebhookOrder) =>
  call<typeof contract.updateWebhook>('PUT /webhooks/{id}', { params: { id }, body });

export const deleteWebhook = (id: string) =>
  call<typeof contract.deleteWebhook>('DELETE /webhooks/{id}', { params: { id } });

export const renewWebhookSecret = (id: string) =>
  call<typeof contract.renewWebhookSecret>('POST /webhooks/{id}/renew', { params: { id } });

export const testWebhook = (id: string) =>
  call<typeof contract.testWebhook>('POST /webhooks/{id}/test', { params: { id } });

export const redeliver = (id: string, delivery_id: string) =>
  call<typeof contract.redeliver>('POST /webhooks/{id}/deliveries/{delivery_id}/redeliver', {
    params: { id, delivery_id },
  });
