import { Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { putTerms, Terms } from '#features/clients/terms.contract.ts';
import { mostPaymentDays } from '#features/clients/terms.shared.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import type { Company } from '../clients.api.ts';
import { PriceField, parsePrice } from './price-field.tsx';
import { termsQuery } from './terms.api.ts';

type Props = { client: Pick<Company, 'company_code' | 'company_name'>; onClose: () => void };

export function TermsDialog({ client, onClose }: Props) {
  // A form that opens again does not keep data of the cache.
  const read = useQuery({ ...termsQuery(client.company_code), gcTime: 0 });
  return (
    <ReadDialog title={m.clients_terms_title({ name: client.company_name })} read={read} onClose={onClose}>
      {(terms) => <TermsForm client={client} terms={terms} onClose={onClose} />}
    </ReadDialog>
  );
}

const typed = (value: number | null) => (value === null ? '' : String(value));

function TermsForm({ client, terms, onClose }: Props & { terms: Terms }) {
  const { company_name: name, company_code } = client;
  const queries = useQueryClient();
  const [fields, setFields] = useState(() => ({
    price: typed(terms.price),
    discount: typed(terms.discount),
    days: typed(terms.payment_days),
    address: terms.address,
    taxNumber: terms.tax_number,
    emails: terms.invoice_emails.join('\n'),
  }));
  const [version] = useState(terms.version);
  const change = (changes: Partial<typeof fields>) => setFields((before) => ({ ...before, ...changes }));
  const save = async () => {
    await call<typeof putTerms>('PUT /terms/{company_code}', {
      params: { company_code },
      body: {
        price: parsePrice(fields.price),
        discount: parseWholeNumber(fields.discount) ?? 0,
        payment_days: parseWholeNumber(fields.days),
        address: fields.address,
        tax_number: fields.taxNumber,
        invoice_emails: fields.emails.split(/[\s,;]+/).filter((address) => address !== ''),
        version,
      },
    });
    toast.success(m.clients_terms_saved({ name }));
    await queries.invalidateQueries({ queryKey: ['clients'] });
  };
  return (
    <FormDialog
      title={m.clients_terms_title({ name })}
      submitLabel={m.clients_terms_save()}
      busyLabel={m.invoices_saving()}
      fallback={m.clients_terms_failed()}
      onSubmit={save}
      onClose={onClose}
    >
      <p className="dim">{m.clients_terms_hint()}</p>
      <PriceField value={fields.price} onChange={(price) => change({ price })} />
      <WholeNumberField
        label={m.tickets_discount()}
        unit="%"
        value={fields.discount}
        min={0}
        max={100}
        onChange={(discount) => change({ discount })}
      />
      <WholeNumberField
        label={m.clients_terms_payment_days()}
        hint={m.clients_terms_payment_days_hint()}
        optional
        value={fields.days}
        min={0}
        max={mostPaymentDays}
        onChange={(days) => change({ days })}
      />
      <Textarea
        label={m.invoices_address()}
        rows={3}
        maxLength={1000}
        value={fields.address}
        onChange={({ target }) => change({ address: target.value })}
      />
      <TextInput
        label={m.invoices_tax_number()}
        maxLength={100}
        value={fields.taxNumber}
        onChange={({ target }) => change({ taxNumber: target.value })}
      />
      <Textarea
        label={m.clients_terms_emails()}
        description={m.clients_terms_emails_hint()}
        rows={3}
        maxLength={3000}
        value={fields.emails}
        onChange={({ target }) => change({ emails: target.value })}
      />
    </FormDialog>
  );
}
