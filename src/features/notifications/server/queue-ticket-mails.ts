import { doDueWork } from '#server/db/do-due-work.ts';
import type { Context } from '#server/runtime/context.ts';
import {
  insertTicketMails,
  lockCompleted,
  lockWaiting,
  markCompletionTold,
  markWaitTold,
} from './ticket-mails.queries.ts';

/**
 * Decides for each ticket that is Completed, or has waited for more than an hour, who is mailed. Each decision is one
 * transaction with its mails, so that only one of several processes makes it, once for a ticket, also after a crash.
 */
export async function queueTicketMails(context: Pick<Context, 'db' | 'log'>): Promise<void> {
  await doDueWork(context, {
    kind: 'completed ticket',
    lockNext: (tx) => lockCompleted(tx),
    subjectOf: String,
    async work(tx, ticketId) {
      await markCompletionTold(tx, ticketId);
      await insertTicketMails(tx, ticketId, 'completed');
    },
  });
  await doDueWork(context, {
    kind: 'waiting ticket',
    lockNext: (tx) => lockWaiting(tx),
    subjectOf: String,
    async work(tx, ticketId) {
      await markWaitTold(tx, ticketId);
      await insertTicketMails(tx, ticketId, 'waiting');
    },
  });
}
