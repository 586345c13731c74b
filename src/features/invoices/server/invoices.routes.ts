import type { FastifyInstance } from 'fastify';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../invoices.contract.ts';
import { downloadInvoices } from './export/invoice-list-file.ts';
import { createInvoice, deleteInvoice, getInvoice, listInvoices, updateInvoice } from './invoices.service.ts';
import { creditInvoice, issueInvoice, payInvoice } from './issue-invoice.service.ts';
import { getSeller, putSeller } from './seller/seller.service.ts';

/** Serves the invoices and the data of the company that issues them. */
export function registerInvoices(app: FastifyInstance, context: Context): void {
  const { db } = context;
  route(app, contract.getSeller, () => getSeller(db));
  route(app, contract.putSeller, ({ body }) => putSeller(db, body));
  route(app, contract.listInvoices, ({ query, caller, db: reads }) =>
    listInvoices({ ...context, db: reads }, caller, query),
  );
  route(app, contract.downloadInvoices, ({ query, caller, locale, reply }) =>
    sendFile(reply, query.format, (gone) => downloadInvoices(context, caller, query, locale, gone)),
  );
  route(app, contract.createInvoice, ({ body }) => createInvoice(context, body));
  route(app, contract.getInvoice, ({ params, caller }) => getInvoice(context, caller, params.id));
  route(app, contract.updateInvoice, ({ params, body }) => updateInvoice(context, params.id, body));
  route(app, contract.issueInvoice, ({ params }) => issueInvoice(context, params.id));
  route(app, contract.payInvoice, ({ params, body }) => payInvoice(context, params.id, body));
  route(app, contract.creditInvoice, ({ params, body }) => creditInvoice(context, params.id, body.reason));
  route(app, contract.deleteInvoice, async ({ params, locale }) => {
    await deleteInvoice(context, params.id);
    return { message: m.server_invoice_deleted({}, { locale }) };
  });
}
