import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/invoices/invoices.contract.ts';
import type * as reminders from '#features/invoices/reminders.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { type DownloadOptions, download } from '#web/client/download.ts';
import { polled } from '#web/client/query-client.ts';

export type { Invoice, OpenAmounts, Seller } from '#features/invoices/invoices.contract.ts';
export type { ReminderSettings } from '#features/invoices/reminders.contract.ts';

/** Below the key of tickets, because drafts follow their tickets. */
export const invoicesKey = [...ticketsKey, 'invoices'] as const;

/** The filters of the list; an empty text filters nothing. `overdue` is an issued invoice whose due day is over. */
export type InvoiceChoice = {
  company_code: string;
  status: '' | contract.Invoice['status'] | 'overdue';
  from: string;
  to: string;
};

const queryOf = ({ company_code, status, from, to }: InvoiceChoice) => ({
  company_code,
  from,
  to,
  status: status === '' || status === 'overdue' ? undefined : status,
  overdue: status === 'overdue' ? ('true' as const) : undefined,
});

/** One page of invoices; the page before stays on screen until the next one is there. */
export const invoicePage = (choice: InvoiceChoice, page: number, limit: number) =>
  queryOptions({
    ...polled,
    queryKey: [...invoicesKey, 'page', choice, page, limit],
    queryFn: ({ signal }) =>
      call<typeof contract.listInvoices>(
        'GET /invoices',
        { query: { ...queryOf(choice), page, limit } },
        signal,
      ),
    placeholderData: keepPreviousData,
  });

export const invoiceQuery = (id: string) =>
  queryOptions({
    ...polled,
    queryKey: [...invoicesKey, 'one', id],
    queryFn: ({ signal }) =>
      call<typeof contract.getInvoice>('GET /invoices/{id}', { params: { id } }, signal),
  });

/** The data of the company that issues the invoices; superadmins alone may ask. */
export const sellerQuery = queryOptions({
  queryKey: [...invoicesKey, 'seller'],
  queryFn: ({ signal }) => call<typeof contract.getSeller>('GET /invoices/seller', {}, signal),
});

export const putSeller = (body: Body<typeof contract.putSeller>) =>
  call<typeof contract.putSeller>('PUT /invoices/seller', { body });

/** When companies are reminded automatically; superadmins alone may ask. */
export const remindersQuery = queryOptions({
  queryKey: [...invoicesKey, 'reminders'],
  queryFn: ({ signal }) => call<typeof reminders.getReminders>('GET /invoices/reminders', {}, signal),
});

export const putReminders = (body: Body<typeof reminders.putReminders>) =>
  call<typeof reminders.putReminders>('PUT /invoices/reminders', { body });

export const createInvoice = (body: Body<typeof contract.createInvoice>) =>
  call<typeof contract.createInvoice>('POST /invoices', { body });

export const updateInvoice = (id: string, body: Body<typeof contract.updateInvoice>) =>
  call<typeof contract.updateInvoice>('PUT /invoices/{id}', { params: { id }, body });

export const issueInvoice = (id: string) =>
  call<typeof contract.issueInvoice>('POST /invoices/{id}/issue', { params: { id } });

export const payInvoice = (id: string, body: Body<typeof contract.payInvoice>) =>
  call<typeof contract.payInvoice>('POST /invoices/{id}/pay', { params: { id }, body });

export const creditInvoice = (id: string, reason: string) =>
  call<typeof contract.creditInvoice>('POST /invoices/{id}/credit', { params: { id }, body: { reason } });

export const remindInvoice = (id: string, language: 'en' | 'id') =>
  call<typeof contract.remindInvoice>('POST /invoices/{id}/remind', { params: { id }, query: { language } });

export const deleteInvoice = (id: string) =>
  call<typeof contract.deleteInvoice>('DELETE /invoices/{id}', { params: { id } });

/** Saves the invoices of the list as a workbook. */
export const saveInvoices = (choice: InvoiceChoice, options: DownloadOptions) =>
  download<typeof contract.downloadInvoices>(
    'GET /invoices/download',
    { query: { ...queryOf(choice), format: 'excel' } },
    options,
  );

/** Saves an invoice or its credit note as a PDF. */
export const savePdf = (
  id: string,
  query: { language: 'en' | 'id'; document: 'invoice' | 'credit-note' },
  options: DownloadOptions,
) =>
  download<typeof contract.downloadInvoicePdf>('GET /invoices/{id}/pdf', { params: { id }, query }, options);
