import { jsonb, nullable, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { WebhookEvent } from '../../webhook-events.shared.ts';
import type { EventData } from '../../webhook-messages.contract.ts';

/** An event for webhooks. `data` has ids, numbers and counts of at most one company (docs/webhooks.md). */
export type PublishedEvent = {
  [Event in WebhookEvent]: { type: Event; data: EventData<Event> } & About;
}[WebhookEvent];

type About = {
  /** The company that it belongs to; null for an event that only superadmins get. */
  companyCode: string | null;
  /** The thing that it is about, such as `ticket:12`. A webhook gets the events of one thing in their order. */
  subject: string;
  /** The address of the screen about it, below PUBLIC_URL. */
  path: string;
};

// The lock waits for a webhook that is being deleted and then skips it: its delivery would fail the whole transaction.
const insert = statement({
  name: 'publish-event',
  text: `INSERT INTO webhook_deliveries (webhook_id, event, subject, path, data)
     SELECT id, :type, :subject, :path, :data FROM webhooks
     WHERE active AND :type = ANY (events) AND (company_code IS NULL OR company_code = :companyCode)
     FOR KEY SHARE`,
  params: {
    type: text,
    companyCode: nullable(text),
    subject: text,
    path: text,
    data: jsonb<PublishedEvent['data']>(),
  },
});

/**
 * Queues an event for every active webhook that asked for it. Call it in the transaction in which the event happens, so
 * that neither is stored without the other. Nothing is written while no webhook asked for it.
 */
export async function publishEvent(tx: Queryable, event: PublishedEvent): Promise<void> {
  await insert.run(tx, event);
}
