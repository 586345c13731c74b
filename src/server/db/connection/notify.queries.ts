import { text } from '../column-types.ts';
import type { Queryable } from '../db.ts';
import { statement } from '../statement.ts';

const sendNotice = statement({
  name: 'notify',
  text: 'SELECT pg_notify(:channel, :payload)',
  params: { channel: text, payload: text },
});

/** Notifies every process that listens on a channel, once the transaction commits. */
export async function notify(tx: Queryable, channel: string, payload = ''): Promise<void> {
  await sendNotice.run(tx, { channel, payload });
}
