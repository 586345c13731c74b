import { Textarea, TextInput } from '@mantine/core';
import type { putTerms, Terms } from '#features/clients/terms.contract.ts';
import { maxPaymentDays } from '#features/clients/terms.shared.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { splitEntries } from '#web/client/refused-fields.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import typography from '#web/styles/typography.module.css';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import type { Company } from '../clients.api.ts';
import { PriceField, parsePrice, typePrice } from './price-field.tsx';
import { termsQuery } from './terms.api.ts';

type Props = { client: Pick<Company, 'company_code' | 'company_name'>; onClose: () => void };

export function TermsDialog({ client, onClose }: Props) {
  const { company_name: name, company_code: code } = client;
  return (
    <ReadDialog title={m.clients_terms_title({ name })} query={termsQuery(code)} onClose={onClose}>
      {(terms) => <TermsForm client={client} terms={terms} onClose={onClose} />}
    </ReadDialog>
  );
}

function TermsForm({ client, terms, onClose }: Props & { terms: Terms }) {
  const { company_name: name, company_code } = client;
  const announceSuccess = useAnnounceSuccess(['clients']);
  const { form, follow } = useStoredForm({
    stored: terms,
    valuesOf,
    reread: termsQuery(company_code),
  });
  const save = async () => {
    const { price, discount, payment_days, invoice_emails } = form.values;
    await call<typeof putTerms>('PUT /terms/{company_code}', {
      params: { company_code },
      body: {
        ...form.values,
        price: parsePrice(price),
        discount: parseWholeNumber(discount) ?? 0,
        payment_days: parseWholeNumber(payment_days),
        invoice_emails: splitEntries(invoice_emails),
      },
    });
    await announceSuccess(m.clients_terms_saved({ name }));
  };
  return (
    <FormDialog
      title={m.clients_terms_title({ name })}
      submitLabel={m.clients_terms_save()}
      busyLabel={m.invoices_saving()}
      fallback={m.clients_terms_failed()}
      form={form}
      follow={follow}
      onSubmit={save}
      onClose={onClose}
    >
      <p className={typography.dim}>{m.clients_terms_hint()}</p>
      <PriceField {...form.getInputProps('price')} />
      <WholeNumberField
        label={m.tickets_discount()}
        unit="%"
        min={0}
        max={100}
        {...form.getInputProps('discount')}
      />
      <WholeNumberField
        label={m.clients_terms_payment_days()}
        hint={m.clients_terms_payment_days_hint()}
        optional
        min={0}
        max={maxPaymentDays}
        {...form.getInputProps('payment_days')}
      />
      <Textarea label={m.invoices_address()} rows={3} maxLength={1000} {...form.getInputProps('address')} />
      <TextInput label={m.invoices_tax_number()} maxLength={100} {...form.getInputProps('tax_number')} />
      <Textarea
        label={m.clients_terms_emails()}
        description={m.clients_terms_emails_hint()}
        rows={3}
        maxLength={3000}
        {...form.getInputProps('invoice_emails')}
      />
    </FormDialog>
  );
}

const typed = (value: number | null) => (value === null ? '' : String(value));

const valuesOf = (terms: Terms) => ({
  ...terms,
  price: typePrice(terms.price),
  discount: typed(terms.discount),
  payment_days: typed(terms.payment_days),
  invoice_emails: terms.invoice_emails.join('\n'),
});
