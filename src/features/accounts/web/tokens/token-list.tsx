import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { TableFooter } from '#web/ui/table/table-footer.tsx';
import { tokenColumns } from './token-columns.tsx';
import { type ApiToken, deleteToken, tokenPage } from './tokens.api.ts';

const sizes = [10, 50] as const;

/** The user's API tokens, each with a button that revokes it. */
export function TokenList() {
  const queries = useQueryClient();
  const [page, setPage] = useState(1);
  const [limit, setLimit] = useState<number>(10);
  const read = useQuery(tokenPage(page, limit));
  const { data } = read;
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  const columns = useMemo(() => tokenColumns(setRevoked), []);
  return (
    <>
      <Panel
        title={m.tokens_title()}
        flush
        footer={
          data !== undefined && (
            <TableFooter
              pagination={data.pagination}
              sizes={sizes}
              pageSize={limit}
              onPageSize={(size) => {
                setLimit(size);
                setPage(1);
              }}
              onPage={setPage}
            />
          )
        }
      >
        <ReadState read={read}>
          {(list) =>
            list?.data.length === 0 ? (
              <EmptyState title={m.tokens_none()} hint={m.tokens_none_hint()} />
            ) : (
              <DataTable
                label={m.tokens_title()}
                name="tokens"
                columns={columns}
                rows={list?.data ?? []}
                rowKey={({ _id }) => _id}
              />
            )
          }
        </ReadState>
      </Panel>
      {revoked !== null && (
        <ConfirmDialog
          title={m.tokens_revoke_title()}
          text={m.tokens_revoke_text({ name: revoked.name })}
          confirmLabel={m.tokens_revoke()}
          busyLabel={m.tokens_revoking()}
          fallback={m.tokens_revoke_failed()}
          onConfirm={async () => {
            await deleteToken(revoked._id);
            toast.success(m.tokens_revoked({ name: revoked.name }));
            await queries.invalidateQueries({ queryKey: ['tokens'] });
          }}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  );
}
