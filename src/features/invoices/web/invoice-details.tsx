import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { statementColumns } from '#features/statements/web/statement-columns.view.tsx';
import { m } from '#shared/texts/messages.js';
import { formatDay, formatInstant, formatMonth, formatNumber, formatRupiah } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import type { Invoice } from '../invoices.contract.ts';
import { InvoiceStatus, titleInvoice } from './invoice-columns.tsx';
import { invoiceQuery } from './invoices.api.ts';
import { SendStatus } from './send-status.tsx';

export function InvoiceDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useQuery(invoiceQuery(id));
  return (
    <Dialog
      title={found.data ? titleInvoice(found.data) : m.invoices_details()}
      width="table"
      onClose={onClose}
    >
      <ReadState read={found}>
        {(invoice) => (invoice === undefined ? <Skeleton height={320} /> : <Contents invoice={invoice} />)}
      </ReadState>
    </Dialog>
  );
}

function Contents({ invoice }: { invoice: Invoice }) {
  return (
    <div className={layout.stack}>
      <FactList facts={listFacts(invoice)} />
      <DataTable
        label={m.invoices_tickets()}
        columns={statementColumns}
        rows={invoice.tickets}
        rowKey={({ ticket_number }) => ticket_number}
      />
    </div>
  );
}

function Sending({ sent }: { sent: NonNullable<Invoice['sent']> }) {
  const words = { at: formatInstant(sent.at), addresses: sent.to.join(', ') };
  return (
    <>
      <SendStatus sent={sent} /> {m.invoices_sent_at(words)}
    </>
  );
}

type Fact = [name: string, value: ReactNode];

function listFacts(invoice: Invoice): Fact[] {
  const { client, company_code, month, subtotal, ppn_percent, ppn, total, note, due_at } = invoice;
  const { sent, issued_at, paid_at, payment_note, credit_note } = invoice;
  const facts: (Fact | false)[] = [
    [m.invoices_status(), <InvoiceStatus key="status" invoice={invoice} />],
    [m.statements_company(), `${company_code} (${client.name})`],
    client.address !== '' && [m.invoices_address(), client.address],
    client.tax_number !== '' && [m.invoices_tax_number(), client.tax_number],
    [m.statements_month(), formatMonth(month)],
    [m.statements_subtotal(), formatRupiah(subtotal)],
    ppn_percent > 0 && [`${m.invoices_ppn()} ${formatNumber(ppn_percent)}%`, formatRupiah(ppn)],
    [m.statements_total(), <strong key="total">{formatRupiah(total)}</strong>],
    issued_at !== null && [m.invoices_issued_at(), formatInstant(issued_at)],
    sent !== null && [m.invoices_sent(), <Sending key="sent" sent={sent} />],
    due_at !== null && [m.invoices_due_at(), formatDay(due_at)],
    paid_at !== null && [m.invoices_paid_at(), formatDay(paid_at)],
    payment_note !== null && [m.invoices_payment_note(), payment_note],
    note !== '' && [m.invoices_note(), note],
    credit_note !== null && [m.invoices_credit_note(), `${credit_note.number}: ${credit_note.reason}`],
  ];
  return facts.filter((fact) => fact !== false);
}
