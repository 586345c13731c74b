import { Checkbox, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isSourceEvent, webhookEvents } from '#features/webhooks/webhook-events.shared.ts';
import type { Body } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import type { createWebhook, Webhook } from '../webhooks.contract.ts';
import { nameEvent } from './event-names.ts';
import '@mantine/core/styles/Switch.layer.css';
import layout from '#web/styles/layout.module.css';

type Props = {
  webhook?: Webhook | undefined;
  isOfAll: boolean;
  onSend: (order: Body<typeof createWebhook>) => Promise<unknown>;
  onClose: () => void;
};

export function WebhookForm({ webhook, isOfAll, onSend, onClose }: Props) {
  const form = useForm<Pick<Webhook, 'url' | 'events' | 'active'>>({
    initialValues: {
      url: webhook?.url ?? '',
      events: webhook?.events ?? ['ticket.completed'],
      active: webhook?.active ?? true,
    },
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
