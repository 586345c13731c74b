import { NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { useThisMonth } from '#features/statements/web/month.view.ts';
import { monthAfter } from '#shared/calendar-day.ts';
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
  const thisMonth = useThisMonth();
  const form = useForm({ initialValues: { company_code: '', month: monthAfter(thisMonth, -1) } });
  const months = Array.from({ length: monthsListed }, (_, back) => monthAfter(thisMonth, -back));
  return (
    <FormDialog
      title={m.invoices_create()}
      submitLabel={m.invoices_create_send()}
      busyLabel={m.invoices_creating()}
      fallback={m.invoices_create_failed()}
      form={form}
      onSubmit={async () => {
        const { values } = form;
        const { total } = await call<typeof createInvoice>('POST /invoices', { body: values });
        await announceSuccess(
          m.invoices_created({ company: values.company_code, total: formatRupiah(total) }),
        );
      }}
      onClose={onClose}
    >
      <CompanySelect
        label={m.clients_company_code()}
        placeholder={m.clients_choose()}
        required
        {...form.getInputProps('company_code')}
      />
      <NativeSelect
        label={m.statements_month()}
        description={m.invoices_month_hint()}
        data={months.map((value) => ({ value, label: formatMonth(value) }))}
        {...form.getInputProps('month')}
      />
    </FormDialog>
  );
}
