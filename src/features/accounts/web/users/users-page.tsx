import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { UserList } from './user-list.tsx';

/** Users: who may sign in, and who is invited. */
export function Component() {
  const [isInviting, setInviting] = useState(false);
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
      <div className="stack">
        <InvitationList />
        <UserList />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}
