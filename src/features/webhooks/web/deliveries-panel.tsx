import { Button, type ButtonProps } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { polled, readPage } from '#web/client/read.ts';
import { useSubmit } from '#web/client/submit.ts';
import { formatInstant } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { SidePanel } from '#web/ui/overlay/side-panel.tsx';
import { ListFooter } from '#web/ui/table/list-footer.tsx';
import type { listDeliveries, redeliver, Webhook, WebhookDelivery } from '../webhooks.contract.ts';
import { DeliveryDetails, DeliveryState, describeAnswer } from './delivery-details.tsx';
import { nameEvent } from './event-names.ts';
import { hostOf } from './webhook-columns.tsx';
import { testWebhook } from './webhooks.api.ts';
import styles from './webhooks.module.css';

const sizes = [10, 50] as const;
/** The list is read more often while a delivery waits. */
const refreshMs = 3000;

type Props = {
  webhook: Webhook;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
};

/** The deliveries of a webhook, newest first, each with its message, its answer and "Deliver again". */
export function DeliveriesPanel({ webhook, onPrevious, onNext, onClose }: Props) {
  const [{ page, limit }, setPaging] = useState({ page: 1, limit: 10 });
  const [openId, setOpenId] = useState('');
  const deliveries = useQuery({
    ...polled(
      readPage<typeof listDeliveries>(
        ['webhooks', webhook._id, 'deliveries'],
        'GET /webhooks/{id}/deliveries',
        {
          params: { id: webhook._id },
          query: { page, limit },
        },
      ),
    ),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ status }) => status === 'waiting') ? refreshMs : false,
  });
  return (
    <SidePanel
      title={m.webhooks_deliveries_of({ name: hostOf(webhook) })}
      onPrevious={onPrevious}
      onNext={onNext}
      onClose={onClose}
    >
      <p className={`${typography.dim} ${styles.webhookAddress}`}>{webhook.url}</p>
      <div className={layout.row}>
        <SendButton
          label={m.webhooks_test()}
          done={m.webhooks_tested()}
          onSend={() => testWebhook(webhook._id)}
        />
      </div>
      <ReadState read={deliveries}>
        {(list) =>
          list === undefined ? (
            <Skeleton height={320} />
          ) : list.data.length === 0 ? (
            <EmptyState title={m.webhooks_no_deliveries()} hint={m.webhooks_no_deliveries_hint()} />
          ) : (
            <>
              <ul className={styles.webhookDeliveries} aria-label={m.webhooks_deliveries()}>
                {list.data.map((delivery) => (
                  <Delivery
                    key={delivery._id}
                    delivery={delivery}
                    webhookId={webhook._id}
                    isOpen={delivery._id === openId}
                    onOpen={() => setOpenId(delivery._id === openId ? '' : delivery._id)}
                  />
                ))}
              </ul>
              <ListFooter
                pagination={list.pagination}
                sizes={sizes}
                limit={limit}
                onPage={(change) => setPaging({ limit, ...change })}
                rangeOfOnePage={false}
              />
            </>
          )
        }
      </ReadState>
    </SidePanel>
  );
}

type DeliveryProps = {
  delivery: WebhookDelivery;
  webhookId: string;
  isOpen: boolean;
  onOpen: () => void;
};

function Delivery({ delivery, webhookId, isOpen, onOpen }: DeliveryProps) {
  const id = useId();
  const isWaiting = delivery.status === 'waiting';
  const name = m.webhooks_delivery_name({ event: nameEvent(delivery.event), at: formatInstant(delivery.at) });
  return (
    <li>
      <div className={layout.spread}>
        <strong>{nameEvent(delivery.event)}</strong>
        <DeliveryState status={delivery.status} />
      </div>
      <span className={typography.dim}>{formatInstant(delivery.at)}</span>
      <span>{describeAnswer(delivery)}</span>
      {delivery.next_at !== null && (
        <span className={typography.dim}>{m.webhooks_next_at({ at: formatInstant(delivery.next_at) })}</span>
      )}
      <div className={layout.spread}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={m.webhooks_details_of({ name })}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onOpen}
        >
          {m.webhooks_details()}
        </Button>
        <SendButton
          size="compact-sm"
          label={isWaiting ? m.webhooks_send_now() : m.webhooks_redeliver()}
          name={isWaiting ? m.webhooks_send_now_of({ name }) : m.webhooks_redeliver_of({ name })}
          done={m.webhooks_queued_again()}
          onSend={() =>
            call<typeof redeliver>('POST /webhooks/{id}/deliveries/{delivery_id}/redeliver', {
              params: { id: webhookId, delivery_id: delivery._id },
            })
          }
        />
      </div>
      {isOpen && <DeliveryDetails id={id} webhookId={webhookId} deliveryId={delivery._id} />}
    </li>
  );
}

type SendProps = Pick<ButtonProps, 'size'> & {
  label: string;
  /** Its name among several buttons with the same label. */
  name?: string;
  done: string;
  onSend: () => Promise<unknown>;
};

function SendButton({ label, name, done, onSend, ...look }: SendProps) {
  const queries = useQueryClient();
  const { busy, submit } = useSubmit({
    send: async () => {
      try {
        await onSend();
        toast.success(done);
      } finally {
        await queries.invalidateQueries({ queryKey: ['webhooks'] });
      }
    },
    fallback: m.webhooks_send_failed(),
    onError: toast.error,
  });
  return (
    <Button {...look} variant="default" aria-label={name} disabled={busy} onClick={submit}>
      {label}
    </Button>
  );
}
