import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { termsQuery } from '#features/clients/web/terms/terms.api.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSendOnce } from '#web/client/idempotency-key.ts';
import { getLanguage } from '#web/preferences/language.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { LanguageSelect } from '#web/ui/field/language-select.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import type { ListedInvoice, sendInvoice } from '../invoices.contract.ts';

/** Mails an issued invoice, also again. @param onSent tells that it was sent */
export function SendDialog({
  invoice,
  onSent,
  onClose,
}: {
  invoice: ListedInvoice;
  onSent: (words: string) => Promise<void>;
  onClose: () => void;
}) {
  const [language, setLanguage] = useState<'en' | 'id'>(getLanguage);
  const sendOnce = useSendOnce();
  const terms = useQuery(termsQuery(invoice.company_code));
  const number = invoice.number ?? '';
  return (
    <FormDialog
      title={m.invoices_send_title({ number })}
      submitLabel={invoice.sent === null ? m.invoices_send() : m.invoices_send_again()}
      busyLabel={m.invoices_reminding()}
      fallback={m.invoices_send_failed()}
      onSubmit={async () => {
        await sendOnce(language, (idempotencyKey) =>
          call<typeof sendInvoice>('POST /invoices/{id}/send', {
            params: { id: invoice._id },
            query: { language },
            idempotencyKey,
          }),
        );
        await onSent(m.invoices_sending({ number }));
      }}
      onClose={onClose}
      disabled={terms.data === undefined}
    >
      <ReadState read={terms}>
        {(data) => {
          if (!data) return <p>{m.common_loading()}</p>;
          if (data.invoice_emails.length === 0) {
            return <Banner tone="warning">{m.invoices_no_emails()}</Banner>;
          }
          return <p>{m.invoices_send_to({ addresses: data.invoice_emails.join(', ') })}</p>;
        }}
      </ReadState>
      <LanguageSelect label={m.invoices_remind_language()} value={language} onChange={setLanguage} />
    </FormDialog>
  );
}

/** Whether an invoice is also mailed when it is issued. */
export function SendChoice({
  invoice,
  checked,
  onChange,
}: {
  invoice: ListedInvoice;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const terms = useQuery(termsQuery(invoice.company_code));
  const addresses = terms.data?.invoice_emails;
  const isPossible = addresses !== undefined && addresses.length > 0;
  return (
    <>
      <Checkbox
        label={m.invoices_also_send()}
        description={
          isPossible
            ? m.invoices_send_to({ addresses: addresses.join(', ') })
            : addresses && m.invoices_no_emails()
        }
        checked={checked && isPossible}
        disabled={!isPossible}
        onChange={({ target }) => onChange(target.checked)}
      />
      <PartNotRead read={terms} name={m.clients_terms()} />
    </>
  );
}
