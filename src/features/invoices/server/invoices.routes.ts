import type { FastifyInstance } from 'fastify';
import { sendFile } from '#server/http/files/send-file.ts';
import { readKey } from '#server/http/idempotent-change.ts';
import { route } from '#server/http/route.ts';
import { openBackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../invoices.contract.ts';
import * as monthEndContract from '../month-end.contract.ts';
import * as remindersContract from '../reminders.contract.ts';
import { draftMonth, issueMonth } from './batch/batch.service.ts';
import { listMonthEnd } from './batch/month-end.service.ts';
import { downloadInvoices } from './export/invoice-list-file.ts';
import {
  createInvoice,
  deleteInvoice,
  getInvoice,
  listInvoices,
  todayOf,
  updateInvoice,
} from './invoices.service.ts';
import { creditInvoice, issueInvoice, payInvoice } from './issue-invoice.service.ts';
import { sendInvoice } from './mails/send-invoice.service.ts';
import { sendInvoiceMails } from './mails/send-invoice-mails.ts';
import { invoicePdfs, writePdf } from './pdf/invoice-pdf.ts';
import { nameFile, recordPaper, requirePaper } from './pdf/paper.service.ts';
import * as reminders from './reminders/automatic-reminders.service.ts';
import { remindOf } from './reminders/reminder.service.ts';
import { getSeller, putSeller } from './seller/seller.service.ts';

const mailMs = 60_000;

/** Serves the invoices and the data of the company that issues them, and reminds of overdue ones. */
export function registerInvoices(app: FastifyInstance, context: Context): void {
  const { db, log } = context;
  app.addHook('onClose', () => invoicePdfs.drain());
  const mailer = openBackgroundMailer(app, context);
  // They end before the mailer closes: hooks run in reverse order. The database gives each mail to one process.
  const rounds = { everyMs: mailMs, failure: 'mails about invoices failed and will be tried again' };
  repeatWork(app, log, rounds, (signal) => reminders.queueReminders(context, signal));
  const sending = repeatWork(app, log, rounds, (signal) => sendInvoiceMails(context, mailer.send, signal));
  route(app, remindersContract, 'getReminders', () => reminders.getReminders(db));
  route(app, remindersContract, 'putReminders', ({ body, caller }) =>
    reminders.putReminders(db, caller, body),
  );
  route(app, contract, 'getSeller', () => getSeller(db));
  route(app, contract, 'putSeller', ({ body, caller }) => putSeller(db, caller, body));
  route(app, contract, 'listInvoices', ({ query, caller, db: reads }) =>
    listInvoices({ ...context, db: reads }, caller, query),
  );
  route(app, contract, 'downloadInvoices', ({ query, caller, locale, reply }) =>
    sendFile(reply, query.format, (signal) => downloadInvoices(context, caller, query, locale, signal)),
  );
  route(app, contract, 'createInvoice', ({ body, caller }) => createInvoice(context, caller, body));
  route(app, contract, 'getInvoice', ({ params, caller }) => getInvoice(context, caller, params.id));
  route(app, contract, 'downloadInvoicePdf', ({ params, query, caller, locale, reply }) =>
    sendFile(reply, 'pdf', async (signal) => {
      const { document, language = locale } = query;
      const paper = await requirePaper(context, caller, params.id, document, language);
      await recordPaper(db, paper);
      return { content: await writePdf(db, paper, caller, signal), name: nameFile(paper) };
    }),
  );
  route(app, contract, 'updateInvoice', ({ params, body, caller }) =>
    updateInvoice(context, caller, params.id, body),
  );
  route(app, contract, 'issueInvoice', async ({ params, query, body, caller, locale }) => {
    const { total = query.total, send = false, language = locale } = body ?? {};
    const mail = send ? language : undefined;
    const issued = await issueInvoice(context, caller, params.id, { confirmed: total, mail });
    if (mail) sending.wake();
    return issued;
  });
  route(app, monthEndContract, 'listMonthEnd', ({ query, db: reads }) =>
    listMonthEnd(reads, todayOf(context), query.month, query),
  );
  route(app, monthEndContract, 'batchInvoices', async ({ body, caller, locale }) => {
    const { month, totals, send = false, language = locale } = body;
    if (body.do === 'draft') return { data: await draftMonth(context, caller, month) };
    const data = await issueMonth(context, caller, month, { totals, mail: send ? language : undefined });
    if (send) sending.wake();
    return { data };
  });
  route(app, contract, 'sendInvoice', async ({ params, query, caller, locale, request }) => {
    await sendInvoice(context, caller, params.id, query.language ?? locale, readKey(request));
    sending.wake();
    return { message: m.server_invoice_sending({}, { locale }) };
  });
  route(app, contract, 'payInvoice', ({ params, body, caller }) =>
    payInvoice(context, caller, params.id, body),
  );
  route(app, contract, 'creditInvoice', ({ params, body, caller }) =>
    creditInvoice(context, caller, params.id, body.reason),
  );
  route(app, contract, 'remindInvoice', async ({ params, query, caller, locale }) => {
    await remindOf(context, caller, params.id, query.language ?? locale);
    sending.wake();
    return { message: m.server_invoice_reminder_sent({}, { locale }) };
  });
  route(app, contract, 'deleteInvoice', async ({ params, caller, locale }) => {
    await deleteInvoice(context, caller, params.id);
    return { message: m.server_invoice_deleted({}, { locale }) };
  });
}
