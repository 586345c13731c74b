import { publishEvent } from '#features/webhooks/server/events/publish-event.service.ts';
import type { Queryable } from '#server/db/db.ts';

/**
 * Publishes that a source is down or up again, in the transaction that opens or closes its circuit.
 * @param cause why it is down
 */
export function publishSource(
  tx: Queryable,
  type: 'source.down' | 'source.up',
  name: string,
  cause?: string,
): Promise<void> {
  return publishEvent(tx, {
    type,
    companyCode: null,
    subject: `source:${name}`,
    data: { source: name, ...(cause !== undefined && { cause }) },
    path: '/dashboard/sources',
  });
}
