import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import { openBackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import * as contract from '../notifications.contract.ts';
import { getNotifications, putNotifications, queueTicketMails } from './notifications.service.ts';
import { sendTicketMails } from './send-ticket-mails.ts';

const roundMs = 60_000;

/** Serves the caller's notifications, and mails uploaders about their tickets. The database gives each mail to one process. */
export function registerNotifications(app: FastifyInstance, context: Context): void {
  const { db, log } = context;
  const mailer = openBackgroundMailer(app, context);
  // They end before the mailer closes: hooks run in reverse order.
  const rounds = { everyMs: roundMs, failure: 'mails about tickets failed and will be tried again' };
  repeatWork(app, log, rounds, (signal) => queueTicketMails(context, signal));
  repeatWork(app, log, rounds, (signal) => sendTicketMails(context, mailer.send, signal));

  route(app, contract, 'getNotifications', ({ caller }) => getNotifications(db, caller));
  route(app, contract, 'putNotifications', ({ body, caller }) => putNotifications(db, caller, body));
}
