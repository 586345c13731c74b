import { record } from '#features/audit/server/audit.service.ts';
import type { Db } from '#server/db/db.ts';
import { doDueWork } from '#server/db/do-due-work.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Notifications } from '../notifications.contract.ts';
import {
  findNotifications,
  insertDefaults,
  lockNotifications,
  updateNotifications,
} from './notifications.queries.ts';
import {
  insertTicketMails,
  lockCompleted,
  lockWaiting,
  markCompletionNotified,
  markWaitNotified,
} from './ticket-mails.queries.ts';

/** Reads the caller's settings; the defaults until they are first stored. */
export async function getNotifications(db: Db, caller: Caller): Promise<Notifications> {
  return (await findNotifications.first(db, { userId: caller.id })) ?? { completed: true, from_rows: 1000 };
}

/** @throws AppError 401 */
export function putNotifications(db: Db, caller: Caller, after: Notifications): Promise<Notifications> {
  return changeAs(db, caller, async (tx) => {
    await insertDefaults.run(tx, { userId: caller.id });
    const before = await lockNotifications.one(tx, { userId: caller.id });
    await updateNotifications.run(tx, {
      userId: caller.id,
      completed: after.completed,
      fromRows: after.from_rows,
    });
    const { id: objectId, companyCode } = caller;
    await record(tx, { action: 'user.notifications', objectId, companyCode, before, after });
    return after;
  });
}

/**
 * Decides for each ticket that is Completed, or has waited for more than an hour, who is mailed. Each decision is one
 * transaction with its mails, so that only one of several processes makes it, once for a ticket, also after a crash.
 */
export async function queueTicketMails(
  context: Pick<Context, 'db' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  await doDueWork(context, {
    kind: 'completed ticket',
    signal,
    lockNext: (tx) => lockCompleted.first(tx),
    subjectOf: ({ id }) => String(id),
    async work(tx, { id: ticketId }) {
      await markCompletionNotified.run(tx, { ticketId });
      await insertTicketMails.run(tx, { ticketId, kind: 'completed' });
    },
  });
  await doDueWork(context, {
    kind: 'waiting ticket',
    signal,
    lockNext: (tx) => lockWaiting.first(tx),
    subjectOf: ({ id }) => String(id),
    async work(tx, { id: ticketId }) {
      await markWaitNotified.run(tx, { ticketId });
      await insertTicketMails.run(tx, { ticketId, kind: 'waiting' });
    },
  });
}
