import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { formatInstant, formatNumber, formatRupiah } from '#web/format/format.ts';
import { getLanguage } from '#web/preferences/language.ts';
import typography from '#web/styles/typography.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { DayField } from '#web/ui/field/day-field.tsx';
import { LanguageSelect } from '#web/ui/field/language-select.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import type {
  creditInvoice,
  deleteInvoice,
  Invoice,
  issueInvoice,
  ListedInvoice,
  payInvoice,
  remindInvoice,
  updateInvoice,
} from '../invoices.contract.ts';
import type { InvoiceWork } from './invoice-actions.tsx';
import { nameInvoice, titleInvoice } from './invoice-columns.tsx';
import { invoiceQuery, invoicesKey } from './invoices.api.ts';
import { NoSeller } from './no-seller.tsx';
import { SendChoice, SendDialog } from './send-dialog.tsx';

type Props = { invoice: ListedInvoice; onClose: () => void };

export function InvoiceDialog({ work, ...props }: Props & { work: InvoiceWork }) {
  const dialogs = {
    edit: EditDialog,
    issue: IssueDialog,
    send: SendInvoiceDialog,
    pay: PayDialog,
    remind: RemindDialog,
    credit: CreditDialog,
    delete: DeleteDialog,
  };
  const Chosen = dialogs[work];
  return <Chosen {...props} />;
}

function EditDialog({ invoice, onClose }: Props) {
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  const { form, edited } = useStoredForm({ stored: invoice, valuesOf });
  return (
    <FormDialog
      title={m.invoices_edit_title({ name: nameInvoice(invoice) })}
      submitLabel={m.invoices_save()}
      busyLabel={m.invoices_saving()}
      fallback={m.invoices_save_failed()}
      form={form}
      onSubmit={async () => {
        await call<typeof updateInvoice>('PUT /invoices/{id}', {
          params: { id: invoice._id },
          body: { ...edited, ...(edited.due_at === '' && { due_at: null }) },
        });
        await announceSuccess(m.invoices_saved());
      }}
      onClose={onClose}
    >
      <DayField label={m.invoices_due_at()} {...form.getInputProps('due_at')} />
      <Textarea
        label={m.invoices_note()}
        description={m.invoices_note_hint()}
        rows={3}
        maxLength={2000}
        {...form.getInputProps('note')}
      />
    </FormDialog>
  );
}

const valuesOf = ({ note, due_at }: ListedInvoice) => ({ note, due_at: due_at ?? '' });

function IssueDialog({ invoice, onClose }: Props) {
  return (
    <ReadDialog title={m.invoices_issue()} query={invoiceQuery(invoice._id)} onClose={onClose}>
      {(draft) => <IssueForm invoice={draft} onClose={onClose} />}
    </ReadDialog>
  );
}

function IssueForm({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const queries = useQueryClient();
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  const [send, setSend] = useState(false);
  const { company_name: company, tickets, seller } = invoice;
  const total = formatRupiah(invoice.total);
  const count = tickets.length;
  return (
    <FormDialog
      title={m.invoices_issue()}
      submitLabel={m.invoices_issue()}
      busyLabel={m.invoices_issuing()}
      fallback={m.invoices_issue_failed()}
      onSubmit={async () => {
        const { number } = await call<typeof issueInvoice>('POST /invoices/{id}/issue', {
          params: { id: invoice._id },
          body: { total: invoice.total, send },
        }).catch(async (failure: unknown) => {
          // Shows the total that has replaced the confirmed one.
          await queries.invalidateQueries({ queryKey: invoicesKey });
          throw failure;
        });
        await announceSuccess(m.invoices_now_issued({ number: number ?? '' }));
      }}
      onClose={onClose}
    >
      <p>{m.invoices_issue_text({ company, total, count, number: formatNumber(count) })}</p>
      {seller.name === '' && <NoSeller onLeave={onClose} />}
      {invoice.due_at === null && <Banner tone="info">{describeDue(invoice)}</Banner>}
      <SendChoice invoice={invoice} checked={send} onChange={setSend} />
    </FormDialog>
  );
}

function SendInvoiceDialog(props: Props) {
  return <SendDialog {...props} onSent={useAnnounceSuccess(invoicesKey)} />;
}

function describeDue({ payment_days: count }: ListedInvoice): string {
  return count === null
    ? m.invoices_no_due()
    : m.invoices_due_by_terms({ count, number: formatNumber(count) });
}

function PayDialog({ invoice, onClose }: Props) {
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  const form = useForm({ initialValues: { paid_at: '', note: '' } });
  const number = invoice.number ?? '';
  return (
    <FormDialog
      title={m.invoices_pay_title({ number })}
      submitLabel={m.invoices_pay()}
      busyLabel={m.invoices_saving()}
      fallback={m.invoices_pay_failed()}
      form={form}
      onSubmit={async () => {
        await call<typeof payInvoice>('POST /invoices/{id}/pay', {
          params: { id: invoice._id },
          body: form.values,
        });
        await announceSuccess(m.invoices_now_paid({ number }));
      }}
      onClose={onClose}
    >
      <DayField label={m.invoices_paid_at()} required {...form.getInputProps('paid_at')} />
      <TextInput label={m.invoices_payment_note()} maxLength={2000} {...form.getInputProps('note')} />
    </FormDialog>
  );
}

function RemindDialog({ invoice, onClose }: Props) {
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  const [language, setLanguage] = useState<'en' | 'id'>(getLanguage);
  const { number, company_name: company, reminded_at: last } = invoice;
  return (
    <FormDialog
      title={m.invoices_remind_title({ number: number ?? '' })}
      submitLabel={m.invoices_remind()}
      busyLabel={m.invoices_reminding()}
      fallback={m.invoices_remind_failed()}
      onSubmit={async () => {
        await call<typeof remindInvoice>('POST /invoices/{id}/remind', {
          params: { id: invoice._id },
          query: { language },
        });
        await announceSuccess(m.invoices_reminded({ number: number ?? '' }));
      }}
      onClose={onClose}
    >
      <p>{m.invoices_remind_text({ company })}</p>
      {last !== null && (
        <p className={typography.dim}>
          {m.invoices_reminded_at()}: {formatInstant(last)}
        </p>
      )}
      <LanguageSelect label={m.invoices_remind_language()} value={language} onChange={setLanguage} />
    </FormDialog>
  );
}

function CreditDialog({ invoice, onClose }: Props) {
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  const form = useForm({ initialValues: { reason: '' } });
  const number = invoice.number ?? '';
  return (
    <FormDialog
      title={m.invoices_credit_title({ number })}
      submitLabel={m.invoices_credit()}
      busyLabel={m.invoices_saving()}
      fallback={m.invoices_credit_failed()}
      form={form}
      onSubmit={async () => {
        const { credit_note } = await call<typeof creditInvoice>('POST /invoices/{id}/credit', {
          params: { id: invoice._id },
          body: form.values,
        });
        await announceSuccess(m.invoices_now_credited({ number, credit: credit_note?.number ?? '' }));
      }}
      onClose={onClose}
    >
      <p>{m.invoices_credit_text()}</p>
      <Textarea
        label={m.invoices_reason()}
        required
        rows={3}
        maxLength={1000}
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}

function DeleteDialog({ invoice, onClose }: Props) {
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  return (
    <ConfirmDialog
      title={m.invoices_delete_title()}
      text={m.invoices_delete_text()}
      counts={titleInvoice(invoice)}
      confirmLabel={m.common_delete()}
      busyLabel={m.common_deleting()}
      fallback={m.invoices_delete_failed()}
      onConfirm={async () => {
        await call<typeof deleteInvoice>('DELETE /invoices/{id}', { params: { id: invoice._id } });
        await announceSuccess(m.invoices_deleted());
      }}
      onClose={onClose}
    />
  );
}
