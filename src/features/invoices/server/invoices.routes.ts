import type { FastifyInstance } from 'fastify';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import { openBackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../invoices.contract.ts';
import { getReminders, putReminders } from '../reminders.contract.ts';
import { downloadInvoices } from './export/invoice-list-file.ts';
import { createInvoice, deleteInvoice, getInvoice, listInvoices, updateInvoice } from './invoices.service.ts';
import { creditInvoice, issueInvoice, payInvoice } from './issue-invoice.service.ts';
import { invoicePdfs, writePdf } from './pdf/invoice-pdf.ts';
import { findPaper, nameFile } from './pdf/paper.service.ts';
import * as reminders from './reminders/automatic-reminders.service.ts';
import { remindOf } from './reminders/reminder.service.ts';
import { sendReminders } from './reminders/send-reminders.ts';
import { getSeller, putSeller } from './seller/seller.service.ts';

const reminderMs = 60_000;

/** Serves the invoices and the data of the company that issues them, and reminds of overdue ones. */
export function registerInvoices(app: FastifyInstance, context: Context): void {
  const { db, log } = context;
  app.addHook('onClose', () => invoicePdfs.drain());
  const mailer = openBackgroundMailer(app, context);
  // They end before the mailer closes: hooks run in reverse order. The database gives each reminder to one process.
  const rounds = { everyMs: reminderMs, failure: 'reminders of invoices failed and will be tried again' };
  repeatWork(app, log, rounds, () => reminders.queueReminders(context));
  const sending = repeatWork(app, log, rounds, (ending) => sendReminders(context, mailer.send, ending));
  route(app, getReminders, () => reminders.getReminders(db));
  route(app, putReminders, ({ body, caller }) => reminders.putReminders(db, caller, body));
  route(app, contract.getSeller, () => getSeller(db));
  route(app, contract.putSeller, ({ body, caller }) => putSeller(db, caller, body));
  route(app, contract.listInvoices, ({ query, caller, db: reads }) =>
    listInvoices({ ...context, db: reads }, caller, query),
  );
  route(app, contract.downloadInvoices, ({ query, caller, locale, reply }) =>
    sendFile(reply, query.format, (gone) => downloadInvoices(context, caller, query, locale, gone)),
  );
  route(app, contract.createInvoice, ({ body, caller }) => createInvoice(context, caller, body));
  route(app, contract.getInvoice, ({ params, caller }) => getInvoice(context, caller, params.id));
  route(app, contract.downloadInvoicePdf, ({ params, query, caller, locale, reply }) =>
    sendFile(reply, 'pdf', async (gone) => {
      const { document, language = locale } = query;
      const paper = await findPaper(context, caller, params.id, document, language);
      return { content: await writePdf(db, paper, caller, gone), name: nameFile(paper) };
    }),
  );
  route(app, contract.updateInvoice, ({ params, body, caller }) =>
    updateInvoice(context, caller, params.id, body),
  );
  route(app, contract.issueInvoice, ({ params, query, caller }) =>
    issueInvoice(context, caller, params.id, query.total),
  );
  route(app, contract.payInvoice, ({ params, body, caller }) => payInvoice(context, caller, params.id, body));
  route(app, contract.creditInvoice, ({ params, body, caller }) =>
    creditInvoice(context, caller, params.id, body.reason),
  );
  route(app, contract.remindInvoice, async ({ params, query, caller, locale }) => {
    await remindOf(context, caller, params.id, query.language ?? locale);
    sending.wake();
    return { message: m.server_invoice_reminder_sent({}, { locale }) };
  });
  route(app, contract.deleteInvoice, async ({ params, caller, locale }) => {
    await deleteInvoice(context, caller, params.id);
    return { message: m.server_invoice_deleted({}, { locale }) };
  });
}
