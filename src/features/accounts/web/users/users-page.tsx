import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { UserList } from './user-list.tsx';
import { invitationPage } from './users.api.ts';

/** Users: who may sign in, and who is invited. */
export function Component() {
  const [isInviting, setInviting] = useState(false);
  const { isPending } = useQuery(invitationPage(1, 10));
  return (
    <>
      <PageHeader
        title={m.account_users_title()}
        subtitle={m.account_users_subtitle()}
        actions={
          <Button
            leftSection={<IconUserPlus size={16} aria-hidden="true" />}
            onClick={() => setInviting(true)}
          >
            {m.account_invite()}
          </Button>
        }
      />
      {isPending && <PanelSkeleton height={480} />}
      {/* The list of invitations would move the users if it came after them. */}
      <div className="stack" hidden={isPending}>
        <InvitationList />
        <UserList />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}
