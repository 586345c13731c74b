import { publishEvent } from '#features/webhooks/server/events/publish-event.service.ts';
import type { EventData } from '#features/webhooks/webhook-messages.contract.ts';
import type { Queryable } from '#server/db/db.ts';

type SourceEvent =
  | { type: 'source.down'; data: EventData<'source.down'> }
  | { type: 'source.up'; data: EventData<'source.up'> };

/** Publishes that a source is down or up again, in the transaction that opens or closes its circuit. */
export function publishSource(tx: Queryable, event: SourceEvent): Promise<void> {
  const subject = `source:${event.data.source}`;
  return publishEvent(tx, { ...event, companyCode: null, subject, path: '/dashboard/sources' });
}
