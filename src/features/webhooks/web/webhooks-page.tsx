import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { m } from '#shared/texts/messages.js';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';
import { oneOf, text, useUrlState, wholeNumber } from '#web/address/search-params.ts';
import { call } from '#web/client/api-client.ts';
import { polled, readPage } from '#web/client/read.ts';
import { useUser } from '#web/client/session.ts';
import { useAct } from '#web/client/use-act.ts';
import { useLastFound } from '#web/client/use-last-found.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { SecretDialog } from '#web/ui/overlay/secret-dialog.tsx';
import { rowsBeside } from '#web/ui/overlay/side-panel.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import type {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  renewWebhookSecret,
  updateWebhook,
  Webhook,
} from '../webhooks.contract.ts';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { hostOf, webhookColumns } from './webhook-columns.tsx';
import { NewWebhookForm, StoredWebhookForm } from './webhook-form.tsx';
import { testWebhook } from './webhooks.api.ts';

const sizes = [10, 50] as const;
const address = { page: wholeNumber(1), limit: oneOf(sizes, 10), company_code: text(), webhook: text() };

/** Webhooks: addresses of other programs that receive events. */
export function WebhooksPage() {
  const { superadmin } = useUser();
  const queries = useQueryClient();
  const act = useAct(['webhooks']);
  const [{ page, limit, company_code, webhook: openId }, setState] = useUrlState(address);
  const read = useQuery(
    polled(
      readPage<typeof listWebhooks>(['webhooks', 'page'], 'GET /webhooks', {
        query: { page, limit, company_code },
      }),
    ),
  );
  const rows = read.data?.data ?? [];
  const [isCreating, setCreating] = useState(false);
  const [editedId, setEditedId] = useState<string | null>(null);
  const [removed, setRemoved] = useState<Webhook | null>(null);
  const [renewed, setRenewed] = useState<Webhook | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const readAgain = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const unlessLeaving = useUnlessLeaving();
  const open = (webhook: string) => setState({ webhook }, { replace: true });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions stay the same
  const columns = useMemo(() => {
    const test = ({ _id }: Webhook) =>
      act(async () => {
        await testWebhook(_id);
        toast.success(m.webhooks_tested());
        unlessLeaving(() => open(_id));
      }, m.webhooks_send_failed());
    const actions = {
      edit: ({ _id }: Webhook) => setEditedId(_id),
      test,
      renew: setRenewed,
      remove: setRemoved,
    };
    return webhookColumns({ ...actions, open: ({ _id }) => open(_id) }, superadmin);
  }, [superadmin]);

  const webhook = useLastFound(rows, ({ _id }) => _id === openId);
  const edited = useLastFound(rows, ({ _id }) => _id === editedId);
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
      <div className={panels.beside}>
        <ListPanel
          title={m.webhooks_title()}
          name="webhooks"
          read={read}
          columns={columns}
          empty={<EmptyState title={m.webhooks_none()} hint={m.webhooks_none_hint()} />}
          bar={
            superadmin && (
              <div className={layout.row}>
                <CompanySelect
                  label={m.audit_company()}
                  value={company_code}
                  any={m.audit_all_companies()}
                  onChange={(code) =>
                    setState({ company_code: code, page: 1, webhook: '' }, { replace: true })
                  }
                />
              </div>
            )
          }
          openKey={openId}
          onOpen={({ _id }) => open(_id)}
          sizes={sizes}
          limit={limit}
          onPage={(change) => setState({ ...change, webhook: '' })}
        />
        {webhook && (
          <DeliveriesPanel
            key={openId}
            webhook={webhook}
            {...rowsBeside(rows, openId, ({ _id }) => open(_id))}
            onClose={() => open('')}
          />
        )}
      </div>
      {isCreating && (
        <NewWebhookForm
          isOfAll={superadmin}
          onSend={async (order) => {
            const answer = await call<typeof createWebhook>('POST /webhooks', { body: order });
            setSecret(answer.secret);
            await readAgain();
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {edited !== undefined && (
        <StoredWebhookForm
          webhook={edited}
          read={async () => {
            const { data } = await read.refetch({ throwOnError: true });
            return data?.data.find(({ _id }) => _id === edited._id) ?? edited;
          }}
          onSend={async (body) => {
            await call<typeof updateWebhook>('PUT /webhooks/{id}', { params: { id: edited._id }, body });
            toast.success(m.webhooks_saved());
            await readAgain();
          }}
          onClose={() => setEditedId(null)}
        />
      )}
      {renewed !== null && (
        <ConfirmDialog
          title={m.webhooks_renew()}
          text={m.webhooks_renew_text({ name: hostOf(renewed) })}
          confirmLabel={m.webhooks_renew()}
          busyLabel={m.webhooks_saving()}
          fallback={m.webhooks_save_failed()}
          onConfirm={async () => {
            const answer = await call<typeof renewWebhookSecret>('POST /webhooks/{id}/renew', {
              params: { id: renewed._id },
            });
            setSecret(answer.secret);
            await readAgain();
          }}
          onClose={() => setRenewed(null)}
        />
      )}
      {secret !== null && <WebhookSecretDialog secret={secret} onClose={() => setSecret(null)} />}
      {removed !== null && (
        <ConfirmDialog
          title={m.webhooks_delete_title()}
          text={m.webhooks_delete_text({ name: hostOf(removed) })}
          confirmLabel={m.webhooks_delete()}
          busyLabel={m.webhooks_deleting()}
          fallback={m.webhooks_delete_failed()}
          onConfirm={async () => {
            await call<typeof deleteWebhook>('DELETE /webhooks/{id}', { params: { id: removed._id } });
            toast.success(m.webhooks_deleted());
            if (removed._id === openId) unlessLeaving(() => open(''));
            await readAgain();
          }}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  );
}

function WebhookSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      title={m.webhooks_secret_title()}
      warning={m.webhooks_secret_once()}
      secret={secret}
      copyLabel={m.webhooks_secret_copy()}
      onClose={onClose}
    >
      <p className={typography.dim}>{m.webhooks_secret_use()}</p>
    </SecretDialog>
  );
}
