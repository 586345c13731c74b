import { Button } from '@mantine/core';
import type { ApiToken } from '#features/accounts/tokens.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant } from '#web/format/format.ts';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import type { Column } from '#web/ui/table/table-column.ts';

/** The columns of the list of API tokens. */
export function tokenColumns(revoke: (token: ApiToken) => void): Column<ApiToken>[] {
  return [
    { key: 'name', header: m.tokens_name, kind: 'text', width: 220, pinned: true, cell: ({ name }) => name },
    {
      key: 'scope',
      header: m.tokens_scope,
      kind: 'text',
      width: 150,
      cell: ({ scope }) => (scope === 'read' ? m.tokens_scope_read() : m.tokens_scope_write()),
    },
    {
      key: 'created',
      header: m.tokens_created,
      kind: 'instant',
      width: 160,
      cell: ({ created_at }) => formatInstant(created_at),
    },
    {
      key: 'expires',
      header: m.tokens_expires,
      kind: 'instant',
      width: 160,
      cell: ({ expires_at }) => <Expiry at={expires_at} />,
    },
    {
      key: 'used',
      header: m.tokens_last_used,
      kind: 'instant',
      width: 160,
      cell: ({ last_used }) => (last_used === null ? m.tokens_unused() : formatInstant(last_used)),
    },
    {
      key: 'actions',
      header: m.clients_actions,
      kind: 'action',
      cell: (token) => (
        <Button
          size="compact-sm"
          variant="default"
          className="danger-outline"
          aria-label={m.tokens_revoke_name({ name: token.name })}
          onClick={() => revoke(token)}
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
  return (
    <StatusBadge tone="grey" mark="minus">
      {m.tokens_expired()}
    </StatusBadge>
  );
}
