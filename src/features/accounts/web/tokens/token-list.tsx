import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type {
  ApiToken,
  deleteToken,
  deleteUserToken,
  listTokens,
} from '#features/accounts/tokens.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import { formatInstant } from '#web/format/format.ts';
import buttons from '#web/styles/buttons.module.css';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { tokenPage, userTokenPage } from './tokens.api.ts';

const sizes = [10, 50] as const;

/** The API tokens of a user, or of the signed-in user, each of which can be revoked. */
export function TokenList({ userId }: { userId?: string }) {
  const announceSuccess = useAnnounceSuccess(['tokens']);
  const [{ page, limit }, setState] = useState({ page: 1, limit: 10 });
  const read = useQuery<Answer<typeof listTokens>>(
    userId === undefined ? tokenPage(page, limit) : userTokenPage(userId, page, limit),
  );
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  const columns = useMemo(() => tokenColumns(setRevoked), []);
  return (
    <>
      <ListPanel
        title={m.tokens_title()}
        name="tokens"
        read={read}
        columns={columns}
        empty={
          <EmptyState title={m.tokens_none()} {...(userId === undefined && { hint: m.tokens_none_hint() })} />
        }
        sizes={sizes}
        limit={limit}
        onPage={(change) => setState({ limit, ...change })}
      />
      {revoked !== null && (
        <ConfirmDialog
          title={m.tokens_revoke_title()}
          text={m.tokens_revoke_text({ name: revoked.name })}
          confirmLabel={m.tokens_revoke()}
          busyLabel={m.tokens_revoking()}
          fallback={m.tokens_revoke_failed()}
          onConfirm={async () => {
            await revoke(revoked._id, userId);
            await announceSuccess(m.tokens_revoked({ name: revoked.name }));
          }}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  );
}

function revoke(id: string, userId: string | undefined) {
  if (userId === undefined) return call<typeof deleteToken>('DELETE /tokens/{id}', { params: { id } });
  return call<typeof deleteUserToken>('DELETE /users/{id}/tokens/{token_id}', {
    params: { id: userId, token_id: id },
  });
}

function tokenColumns(onRevoke: (token: ApiToken) => void): Column<ApiToken>[] {
  return [
    {
      key: 'name',
      card: 'title',
      header: m.tokens_name,
      kind: 'text',
      width: 220,
      pinned: true,
      cell: ({ name }) => name,
    },
    {
      key: 'scope',
      card: 'line',
      header: m.tokens_scope,
      kind: 'text',
      width: 150,
      cell: ({ scope }) => (scope === 'read' ? m.tokens_scope_read() : m.tokens_scope_write()),
    },
    {
      key: 'created',
      card: 'none',
      header: m.tokens_created,
      kind: 'instant',
      width: 160,
      cell: ({ created_at }) => formatInstant(created_at),
    },
    {
      key: 'expires',
      card: 'below',
      header: m.tokens_expires,
      kind: 'instant',
      width: 160,
      cell: ({ expires_at }) => <Expiry at={expires_at} />,
    },
    {
      key: 'used',
      card: 'below',
      header: m.tokens_last_used,
      kind: 'instant',
      width: 160,
      cell: ({ last_used }) => (last_used === null ? m.tokens_unused() : formatInstant(last_used)),
    },
    {
      key: 'actions',
      card: 'menu',
      header: m.clients_actions,
      kind: 'action',
      cell: (token) => (
        <Button
          size="compact-sm"
          variant="default"
          className={buttons.dangerOutline}
          aria-label={m.tokens_revoke_name({ name: token.name })}
          onClick={() => onRevoke(token)}
        >
          {m.tokens_revoke()}
        </Button>
      ),
    },
  ];
}

function Expiry({ at }: { at: string | null }) {
  if (at === null) return m.tokens_never();
  if (new Date(at).getTime() > Date.now()) return formatInstant(at);
  return <StatusBadge tone="grey" mark="minus" text={m.tokens_expired()} />;
}
