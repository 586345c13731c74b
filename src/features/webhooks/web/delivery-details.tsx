import { useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { polled, read } from '#web/client/read.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import type { getDelivery, WebhookDelivery } from '../webhooks.contract.ts';
import styles from './webhooks.module.css';

type Props = { id: string; webhookId: string; deliveryId: string };

export function DeliveryDetails({ id, webhookId, deliveryId }: Props) {
  const params = { id: webhookId, delivery_id: deliveryId };
  const delivery = useQuery(
    polled(read<typeof getDelivery>(['webhooks'], 'GET /webhooks/{id}/deliveries/{delivery_id}', { params })),
  );
  return (
    <div id={id} className={styles.webhookDetails}>
      <ReadState read={delivery}>
        {(details) => (details === undefined ? <Skeleton height={320} /> : <Details details={details} />)}
      </ReadState>
    </div>
  );
}

function Details({ details }: { details: Answer<typeof getDelivery> }) {
  const { attempted_at: attempted } = details;
  return (
    <>
      <FactList
        facts={[
          ['webhook-id', details.webhook_id],
          [m.webhooks_attempts(), formatNumber(details.attempts)],
          [m.webhooks_attempted(), attempted === null ? '–' : formatInstant(attempted)],
        ]}
      />
      <h3>{m.webhooks_request()}</h3>
      <code className={typography.code}>{JSON.stringify(JSON.parse(details.request_body), null, 2)}</code>
      <h3>{m.webhooks_answer()}</h3>
      <p>{describeAnswer(details)}</p>
      {details.response_body !== null && details.response_body !== '' && (
        <code className={typography.code}>{details.response_body}</code>
      )}
    </>
  );
}

/** Says how the latest attempt ended. The server's words about a connection are not translated. */
export function describeAnswer({ response_status, error, duration_ms }: WebhookDelivery): string {
  if (duration_ms === null) return m.webhooks_not_attempted();
  if (response_status === null) return error ?? '';
  return m.webhooks_answered({ status: response_status, ms: formatNumber(duration_ms) });
}

const looks = {
  delivered: { tone: 'green', mark: 'check', name: m.webhooks_delivered },
  failed: { tone: 'red', mark: 'cross', name: m.webhooks_given_up },
  waiting: { tone: 'yellow', mark: 'clock', name: m.webhooks_waiting },
} as const;

export function DeliveryState({ status }: Pick<WebhookDelivery, 'status'>) {
  const { tone, mark, name } = looks[status];
  return <StatusBadge tone={tone} mark={mark} text={name()} />;
}
