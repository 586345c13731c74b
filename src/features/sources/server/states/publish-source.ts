import { publishEvent } from '#features/webhooks/server/events/publish-event.service.ts';
import type { EventData } from '#features/webhooks/webhook-messages.contract.ts';
import type { Queryable } from '#server/db/db.ts';

/** Why a source is down. */
export type DownCause = EventData<'source.down'>['cause'];

const about = (name: string) => ({
  companyCode: null,
  subject: `source:${name}`,
  path: '/dashboard/sources',
});

/** Publishes that a source is down, in the transaction that opens its circuit. */
export function publishSourceDown(tx: Queryable, name: string, cause: DownCause): Promise<void> {
  return publishEvent(tx, { type: 'source.down', data: { source: name, cause }, ...about(name) });
}

/** Publishes that a source is up again, in the transaction that closes its circuit. */
export function publishSourceUp(tx: Queryable, name: string): Promise<void> {
  return publishEvent(tx, { type: 'source.up', data: { source: name }, ...about(name) });
}
