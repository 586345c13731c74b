import { Textarea, TextInput } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import typography from '#web/styles/typography.module.css';
import { CheckedField } from '#web/ui/field/checked-field.tsx';
import { LanguageSelect } from '#web/ui/field/language-select.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import type { putSeller, SellerSettings } from '../invoices.contract.ts';
import type { putReminders, ReminderSettings } from '../reminders.contract.ts';
import { invoicesKey, remindersQuery, sellerQuery } from './invoices.api.ts';
import { parseDays, parsePercent } from './typed-settings.ts';

export function SellerDialog({ onClose }: { onClose: () => void }) {
  return (
    <ReadDialog title={m.invoices_seller()} query={sellerQuery} onClose={onClose}>
      {(seller) => <SellerForm seller={seller} onClose={onClose} />}
    </ReadDialog>
  );
}

function SellerForm({ seller, onClose }: { seller: SellerSettings; onClose: () => void }) {
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  const { form, follow } = useStoredForm({
    stored: seller,
    valuesOf: sellerValuesOf,
    reread: sellerQuery,
  });
  const percent = parsePercent(form.values.ppn_percent);
  const save = async () => {
    const body = { ...form.values, ppn_percent: percent ?? null };
    await call<typeof putSeller>('PUT /invoices/seller', { body });
    await announceSuccess(m.invoices_seller_saved());
  };
  return (
    <FormDialog
      title={m.invoices_seller()}
      submitLabel={m.invoices_save()}
      busyLabel={m.invoices_saving()}
      fallback={m.invoices_save_failed()}
      form={form}
      follow={follow}
      onSubmit={save}
      onClose={onClose}
    >
      <p className={typography.dim}>{m.invoices_seller_hint()}</p>
      <TextInput label={m.invoices_seller_name()} required maxLength={200} {...form.getInputProps('name')} />
      <Textarea label={m.invoices_address()} rows={3} maxLength={1000} {...form.getInputProps('address')} />
      <TextInput label={m.invoices_tax_number()} maxLength={100} {...form.getInputProps('tax_number')} />
      <Textarea label={m.invoices_bank()} rows={3} maxLength={1000} {...form.getInputProps('bank')} />
      <CheckedField
        inputMode="decimal"
        label={m.invoices_ppn_percent()}
        description={m.invoices_ppn_hint()}
        problem={percent === undefined ? m.invoices_ppn_wrong() : null}
        {...form.getInputProps('ppn_percent')}
      />
    </FormDialog>
  );
}

const sellerValuesOf = (seller: SellerSettings) => ({
  ...seller,
  ppn_percent: seller.ppn_percent === null ? '' : String(seller.ppn_percent),
});

export function RemindersDialog({ onClose }: { onClose: () => void }) {
  return (
    <ReadDialog title={m.invoices_reminders()} query={remindersQuery} onClose={onClose}>
      {(settings) => <RemindersForm settings={settings} onClose={onClose} />}
    </ReadDialog>
  );
}

function RemindersForm({ settings, onClose }: { settings: ReminderSettings; onClose: () => void }) {
  const announceSuccess = useAnnounceSuccess(invoicesKey);
  const { form, follow } = useStoredForm({
    stored: settings,
    valuesOf: reminderValuesOf,
    reread: remindersQuery,
  });
  const days = parseDays(form.values.days);
  return (
    <FormDialog
      title={m.invoices_reminders()}
      submitLabel={m.invoices_save()}
      busyLabel={m.invoices_saving()}
      fallback={m.invoices_save_failed()}
      form={form}
      follow={follow}
      onSubmit={async () => {
        await call<typeof putReminders>('PUT /invoices/reminders', {
          body: { ...form.values, days: days ?? [] },
        });
        await announceSuccess(m.invoices_reminders_saved());
      }}
      onClose={onClose}
    >
      <p className={typography.dim}>{m.invoices_reminders_hint()}</p>
      <CheckedField
        label={m.invoices_reminder_days()}
        description={m.invoices_reminder_days_hint()}
        problem={days === null ? m.invoices_reminder_days_wrong() : null}
        {...form.getInputProps('days')}
      />
      <LanguageSelect label={m.invoices_remind_language()} {...form.getInputProps('language')} />
    </FormDialog>
  );
}

const reminderValuesOf = (settings: ReminderSettings) => ({ ...settings, days: settings.days.join(', ') });
