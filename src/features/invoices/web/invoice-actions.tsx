import {
  IconArrowBackUp,
  IconCash,
  IconFileDownload,
  IconFileText,
  IconMail,
  IconMailForward,
  IconPencil,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import type { Action } from '#web/ui/overlay/action-menu.tsx';
import type { ListedInvoice } from '../invoices.contract.ts';

export type InvoiceWork = 'edit' | 'issue' | 'send' | 'pay' | 'remind' | 'credit' | 'delete';

export type InvoiceActions = {
  open: (invoice: ListedInvoice) => void;
  start: (work: InvoiceWork, invoice: ListedInvoice) => void;
  save: (
    invoice: ListedInvoice,
    paper: { language: 'en' | 'id'; document: 'invoice' | 'credit-note' },
  ) => void;
};

export function listInvoiceActions(
  invoice: ListedInvoice,
  { open, start, save }: InvoiceActions,
  superadmin: boolean,
): Action[] {
  const papers = (['invoice', 'credit-note'] as const).filter(
    (document) => document === 'invoice' || invoice.credit_note !== null,
  );
  const pdf = papers.flatMap((document) =>
    (['en', 'id'] as const).map((language) => ({
      label: nameOf(document, language),
      icon: IconFileDownload,
      onSelect: () => save(invoice, { language, document }),
    })),
  );
  const details: Action = {
    label: m.invoices_details(),
    icon: IconFileText,
    onSelect: () => open(invoice),
  };
  return [details, ...pdf, ...(superadmin ? listChanges(invoice, start) : [])];
}

function nameOf(document: 'invoice' | 'credit-note', language: 'en' | 'id'): string {
  if (document === 'invoice') return language === 'en' ? m.invoices_pdf_in_en() : m.invoices_pdf_in_id();
  return language === 'en' ? m.invoices_credit_pdf_in_en() : m.invoices_credit_pdf_in_id();
}

function listChanges(invoice: ListedInvoice, start: InvoiceActions['start']): Action[] {
  const change = (work: InvoiceWork, label: string, icon: Action['icon'], danger = false): Action => ({
    label,
    icon,
    danger,
    onSelect: () => start(work, invoice),
  });
  if (invoice.status === 'draft') {
    return [
      change('edit', m.common_edit(), IconPencil),
      change('issue', m.invoices_issue(), IconSend),
      change('delete', m.common_delete(), IconTrash, true),
    ];
  }
  if (invoice.status === 'credited') return [];
  const send = invoice.sent === null ? m.invoices_send() : m.invoices_send_again();
  return [
    change('send', send, IconMailForward),
    ...(invoice.status === 'issued' ? [change('pay', m.invoices_pay(), IconCash)] : []),
    ...(invoice.overdue ? [change('remind', m.invoices_remind(), IconMail)] : []),
    change('credit', m.invoices_credit(), IconArrowBackUp, true),
  ];
}
