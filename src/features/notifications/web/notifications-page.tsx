import { Button, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  getNotifications,
  Notifications,
  putNotifications,
} from '#features/notifications/notifications.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { polled, read, storeAnswer } from '#web/client/read.ts';
import { useUser } from '#web/client/session.ts';
import { useSubmit } from '#web/client/submit.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import '@mantine/core/styles/Switch.layer.css';

const notificationsQuery = polled(read<typeof getNotifications>(['notifications'], 'GET /notifications', {}));
const maxRows = 1_000_000_000;

/** Notifications: whether the user is mailed about the end of uploads, and a superadmin about that of orders. */
export function NotificationsPage() {
  const settings = useQuery(notificationsQuery);
  const { superadmin } = useUser();
  return (
    <>
      <PageHeader title={m.common_menu_notifications()} subtitle={m.notifications_subtitle()} />
      <Panel title={superadmin ? m.notifications_orders() : m.notifications_uploads()}>
        <ReadState read={settings}>
          {(stored) => (stored === undefined ? <Skeleton height={36} count={3} /> : <Form stored={stored} />)}
        </ReadState>
      </Panel>
    </>
  );
}

function Form({ stored }: { stored: Notifications }) {
  const queries = useQueryClient();
  const { email, superadmin } = useUser();
  const { form, follow, showSaved } = useStoredForm({
    stored,
    valuesOf,
    reread: notificationsQuery,
  });
  const { busy, error, submit } = useSubmit({
    form,
    send: async () => {
      // A save replaces all settings and names no version: another tab may have changed those that are not edited here.
      await follow();
      const sent = form.getValues();
      const saved = await call<typeof putNotifications>('PUT /notifications', {
        body: { ...sent, from_rows: parseWholeNumber(sent.from_rows) ?? 0 },
      });
      await storeAnswer(queries, notificationsQuery, saved);
      showSaved(saved, sent);
      toast.success(m.notifications_saved());
    },
    fallback: m.notifications_save_failed(),
  });
  return (
    <form className={`${layout.stack} ${layout.formWidth}`} onSubmit={submit}>
      {error !== null && <Outcome tone="error">{error}</Outcome>}
      <Switch
        label={superadmin ? m.notifications_switch_orders() : m.notifications_switch()}
        description={m.notifications_switch_hint({ email })}
        {...form.getInputProps('completed', { type: 'checkbox' })}
      />
      <WholeNumberField
        label={m.notifications_from_rows()}
        hint={m.notifications_from_rows_hint()}
        min={0}
        max={maxRows}
        {...form.getInputProps('from_rows')}
      />
      <div className={layout.row}>
        <Button type="submit" disabled={busy}>
          {busy ? m.notifications_saving() : m.notifications_save()}
        </Button>
      </div>
    </form>
  );
}

const valuesOf = ({ completed, from_rows }: Notifications) => ({ completed, from_rows: String(from_rows) });
