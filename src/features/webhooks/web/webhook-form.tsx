import { Checkbox, Switch, TextInput } from '@mantine/core';
import { isSourceEvent, webhookEvents } from '#features/webhooks/webhook-events.shared.ts';
import { m } from '#shared/texts/messages.js';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import type { WebhookChange } from '../webhooks.contract.ts';
import { nameEvent } from './event-names.ts';
import '@mantine/core/styles/Switch.layer.css';
import layout from '#web/styles/layout.module.css';

type Props = {
  /** The stored settings; none of a new webhook. */
  webhook?: WebhookChange;
  /** Reads the stored settings again. */
  read?: () => Promise<WebhookChange>;
  isOfAll: boolean;
  onSend: (settings: WebhookChange) => Promise<unknown>;
  onClose: () => void;
};

const newWebhook: WebhookChange = { url: '', events: ['ticket.completed'], active: true };

export function WebhookForm({ webhook, read, isOfAll, onSend, onClose }: Props) {
  const { form, follow } = useStoredForm({
    stored: webhook ?? newWebhook,
    valuesOf,
    read: read ?? (async () => newWebhook),
  });
  const choices = webhookEvents.filter((event) => isOfAll || !isSourceEvent(event));
  const isNew = webhook === undefined;
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

const valuesOf = ({ url, events, active, version }: WebhookChange) => ({ url, events, active, version });
