import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useUser } from '#web/client/session.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import type { createWebhook } from '../webhooks.contract.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx';

/** Webhooks: addresses of other programs that receive events. */
export function WebhooksPage() {
  const { superadmin } = useUser();
  const queries = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <PageHeader
        title={m.webhooks_title()}
        subtitle={superadmin ? m.webhooks_subtitle_all() : m.webhooks_subtitle()}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
            {m.webhooks_create()}
          </Button>
        }
      />
      <WebhookList />
      {isCreating && (
        <WebhookForm
          isOfAll={superadmin}
          onSend={async (order) => {
            const answer = await call<typeof createWebhook>('POST /webhooks', { body: order });
            setSecret(answer.secret);
            await queries.invalidateQueries({ queryKey: ['webhooks'] });
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {secret !== null && <WebhookSecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
