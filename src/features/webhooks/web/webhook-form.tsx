import { Checkbox, Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { isSourceEvent, webhookEvents } from '#features/webhooks/webhook-events.shared.ts';
import { m } from '#shared/texts/messages.js';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import type { Webhook, WebhookChange } from '../webhooks.contract.ts';
import { nameEvent } from './event-names.ts';
import '@mantine/core/styles/Switch.layer.css';
import layout from '#web/styles/layout.module.css';

const newWebhook: WebhookChange = { url: '', events: ['ticket.completed'], active: true };

type Sent = {
  onSend: (settings: WebhookChange) => Promise<unknown>;
  onClose: () => void;
};

/** @param props.isOfAll whether the webhook will get the events of all companies */
export function NewWebhookForm({ isOfAll, ...sent }: Sent & { isOfAll: boolean }) {
  const form = useForm({ initialValues: newWebhook });
  return <WebhookForm form={form} isNew isOfAll={isOfAll} {...sent} />;
}

/** @param props.read reads the stored settings again */
export function StoredWebhookForm({
  webhook,
  read,
  ...sent
}: Sent & { webhook: Webhook; read: () => Promise<Webhook> }) {
  const { form, follow } = useStoredForm({ stored: webhook, valuesOf, reread: read });
  return (
    <WebhookForm
      form={form}
      follow={follow}
      isNew={false}
      isOfAll={webhook.company_code === null}
      {...sent}
    />
  );
}

type Props = Sent & {
  form: UseFormReturnType<WebhookChange>;
  follow?: () => Promise<void>;
  isNew: boolean;
  isOfAll: boolean;
};

function WebhookForm({ form, follow, isNew, isOfAll, onSend, onClose }: Props) {
  const choices = webhookEvents.filter((event) => isOfAll || !isSourceEvent(event));
  return (
    <FormDialog
      title={isNew ? m.webhooks_create_title() : m.webhooks_edit_title()}
      submitLabel={isNew ? m.webhooks_create() : m.webhooks_save()}
      busyLabel={m.webhooks_saving()}
      fallback={m.webhooks_save_failed()}
      form={form}
      follow={follow}
      onSubmit={() => onSend(form.values)}
      onClose={onClose}
    >
      <TextInput
        label={m.webhooks_url()}
        description={m.webhooks_url_hint()}
        type="url"
        autoComplete="off"
        required
        maxLength={2000}
        {...form.getInputProps('url')}
      />
      <Checkbox.Group
        label={m.webhooks_events()}
        {...form.getInputProps('events')}
        onChange={(chosen) =>
          form.setFieldValue(
            'events',
            webhookEvents.filter((event) => chosen.includes(event)),
          )
        }
      >
        <div className={layout.tightStack}>
          {choices.map((event) => (
            <Checkbox key={event} value={event} label={nameEvent(event)} />
          ))}
        </div>
      </Checkbox.Group>
      <Switch
        label={m.webhooks_active()}
        description={isNew ? undefined : m.webhooks_active_hint()}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}

const valuesOf = ({ url, events, active, version }: Webhook): WebhookChange => ({
  url,
  events,
  active,
  version,
});
