import { IconMail, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type {
  deleteInvitation,
  Invitation,
  sendInvitation,
} from '#features/accounts/invitations.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useAct, useAnnounceSuccess } from '#web/client/use-act.ts';
import { formatInstant } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { toast } from '#web/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { actionsColumn } from '#web/ui/table/actions-column.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { nameRole, wholeName } from './role-names.ts';
import { invitationPage } from './users.api.ts';

const sizes = [10, 50, 100] as const;

type Actions = Record<'sendAgain' | 'withdraw', (invitation: Invitation) => void>;

function invitationColumns({ sendAgain, withdraw }: Actions): Column<Invitation>[] {
  return [
    {
      key: 'email',
      card: 'title',
      header: m.account_register_email,
      kind: 'text',
      width: 220,
      pinned: true,
      cell: ({ email }) => email,
    },
    {
      key: 'name',
      card: 'line',
      header: m.account_register_name,
      kind: 'text',
      width: 150,
      cell: (one) => wholeName(one),
    },
    {
      key: 'role',
      card: 'below',
      header: m.account_register_role,
      kind: 'state',
      width: 150,
      cell: ({ role }) => nameRole(role),
    },
    {
      key: 'company',
      card: 'below',
      header: m.account_register_company,
      kind: 'code',
      cell: ({ company_code }) => <span className={typography.mono}>{company_code}</span>,
    },
    {
      key: 'by',
      card: 'below',
      header: m.account_invited_by,
      kind: 'text',
      width: 160,
      cell: ({ invited_by }) => invited_by?.email ?? <span data-unknown>–</span>,
    },
    {
      key: 'until',
      card: 'below',
      header: m.account_invitation_until,
      kind: 'instant',
      width: 160,
      cell: ({ expires_at }) => formatInstant(expires_at),
    },
    actionsColumn(
      ({ email }) => email,
      (invitation) => [
        { label: m.account_invitation_send_again(), icon: IconMail, onSelect: () => sendAgain(invitation) },
        {
          label: m.account_invitation_withdraw(),
          icon: IconTrash,
          danger: true,
          onSelect: () => withdraw(invitation),
        },
      ],
    ),
  ];
}

/** The open invitations; nothing as long as there are none. */
export function InvitationList() {
  const announceSuccess = useAnnounceSuccess(['users']);
  const act = useAct(['users']);
  const [{ page, limit }, setState] = useState({ page: 1, limit: 10 });
  const read = useQuery(invitationPage(page, limit));
  const { data } = read;
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const columns = useMemo(() => {
    const sendAgain = ({ _id, email }: Invitation) =>
      act(async () => {
        await call<typeof sendInvitation>('POST /invitations/{id}/send', { params: { id: _id } });
        toast.success(m.account_invited({ email }));
      }, m.account_invite_failed());
    return invitationColumns({ sendAgain, withdraw: setWithdrawing });
  }, [act]);

  if (read.isPending || data?.pagination.totalItems === 0) return null;
  return (
    <>
      <ListPanel
        title={m.account_invitations()}
        name="invitations"
        read={read}
        columns={columns}
        empty={null}
        sizes={sizes}
        limit={limit}
        onPage={(change) => setState({ limit, ...change })}
      />
      {withdrawing !== null && (
        <ConfirmDialog
          title={m.account_invitation_withdraw()}
          text={m.account_invitation_withdraw_text({ email: withdrawing.email })}
          confirmLabel={m.account_invitation_withdraw()}
          busyLabel={m.account_user_saving()}
          fallback={m.account_user_update_failed()}
          onConfirm={async () => {
            await call<typeof deleteInvitation>('DELETE /invitations/{id}', {
              params: { id: withdrawing._id },
            });
            await announceSuccess(m.account_invitation_withdrawn({ email: withdrawing.email }));
          }}
          onClose={() => setWithdrawing(null)}
        />
      )}
    </>
  );
}
