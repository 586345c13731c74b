import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { monthAfter, useThisMonth } from '#features/statements/web/month.view.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import { formatMonth, formatRupiah } from '#web/format/format.ts';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import type { createInvoice } from '../invoices.contract.ts';
import { invoicesKey } from './invoices.api.ts';

const monthsListed = 24;

/** Drafts an invoice from the statement of a company and month; last month at first. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  const [company, setCompany] = useState('');
  const thisMonth = useThisMonth();
  const [month, setMonth] = useState(() => monthAfter(thisMonth, -1));
  const months = Array.from({ length: monthsListed }, (_, back) => monthAfter(thisMonth, -back));
  return (
    <FormDialog
      title={m.invoices_create()}
      submitLabel={m.invoices_create_send()}
      busyLabel={m.invoices_creating()}
      fallback={m.invoices_create_failed()}
      onSubmit={async () => {
        const { total } = await call<typeof createInvoice>('POST /invoices', {
          body: { company_code: company, month },
        });
        await announceSuccess(m.invoices_created({ company, total: formatRupiah(total) }));
      }}
      onClose={onClose}
    >
      <CompanySelect
        label={m.clients_company_code()}
        placeholder={m.clients_choose()}
        value={company}
        required
        onChange={setCompany}
      />
      <NativeSelect
        label={m.statements_month()}
        description={m.invoices_month_hint()}
        value={month}
        data={months.map((value) => ({ value, label: formatMonth(value) }))}
        onChange={({ target }) => setMonth(target.value)}
      />
    </FormDialog>
  );
}
