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
export async function queueTicketMails(
  context: Pick<Context, 'db' | 'log'>,
  ending?: AbortSignal,
): Promise<void> {
  await doDueWork(context, {
    kind: 'completed ticket',
    ending,
    lockNext: (tx) => lockCompleted.first(tx),
    subjectOf: ({ id }) => String(id),
    async work(tx, { id: ticketId }) {
      await markCompletionTold.run(tx, { ticketId });
      await insertTicketMails.run(tx, { ticketId, kind: 'completed' });
    },
  });
  await doDueWork(context, {
    kind: 'waiting ticket',
    ending,
    lockNext: (tx) => lockWaiting.first(tx),
    subjectOf: ({ id }) => String(id),
    async work(tx, { id: ticketId }) {
      await markWaitTold.run(tx, { ticketId });
      await insertTicketMails.run(tx, { ticketId, kind: 'waiting' });
    },
  });
}
