import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { read } from '#web/client/read.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { LanguageSelect } from '#web/ui/field/language-select.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import type { getReminders, putReminders, ReminderSettings } from '../reminders.contract.ts';
import { invoicesKey } from './invoices.api.ts';
import { parseDays } from './parse-days.ts';

export function RemindersDialog({ onClose }: { onClose: () => void }) {
  const stored = useQuery(read<typeof getReminders>(invoicesKey, 'GET /invoices/reminders', {}));
  return (
    <ReadDialog title={m.invoices_reminders()} read={stored} onClose={onClose}>
      {(settings) => <RemindersForm settings={settings} onClose={onClose} />}
    </ReadDialog>
  );
}

function RemindersForm({ settings, onClose }: { settings: ReminderSettings; onClose: () => void }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState(settings.days.join(', '));
  const [language, setLanguage] = useState(settings.language);
  const days = parseDays(typed);
  const field = useRef<HTMLInputElement>(null);
  const problem = days === null ? m.invoices_reminder_days_wrong() : null;
  // The form cannot be sent while it is wrong.
  useEffect(() => field.current?.setCustomValidity(problem ?? ''), [problem]);
  return (
    <FormDialog
      title={m.invoices_reminders()}
      submitLabel={m.invoices_save()}
      busyLabel={m.invoices_saving()}
      fallback={m.invoices_save_failed()}
      onSubmit={async () => {
        await call<typeof putReminders>('PUT /invoices/reminders', { body: { days: days ?? [], language } });
        toast.success(m.invoices_reminders_saved());
        await queries.invalidateQueries({ queryKey: invoicesKey });
      }}
      onClose={onClose}
    >
      <p className="dim">{m.invoices_reminders_hint()}</p>
      <TextInput
        ref={field}
        label={m.invoices_reminder_days()}
        description={m.invoices_reminder_days_hint()}
        error={problem}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <LanguageSelect label={m.invoices_remind_language()} value={language} onChange={setLanguage} />
    </FormDialog>
  );
}
