import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { createInvitation } from '#features/accounts/invitations.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { call } from '#web/client/api-client.ts';
import { useUser } from '#web/client/session.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import layout from '#web/styles/layout.module.css';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { InvitationList } from './invitation-list.tsx';
import { type Person, PersonFields } from './person-fields.tsx';
import { UserList } from './user-list.tsx';
import { invitationPage } from './users.api.ts';

/** Users: who may sign in, and who is invited. */
export function UsersPage() {
  const { superadmin } = useUser();
  const [isInviting, setInviting] = useState(false);
  const { isPending } = useQuery(invitationPage(1, 10));
  return (
    <>
      <PageHeader
        title={m.account_users_title()}
        subtitle={m.account_users_subtitle()}
        actions={
          <>
            {superadmin && (
              <Button component={Link} to={paths.register} variant="default">
                {m.common_menu_register()}
              </Button>
            )}
            <Button
              leftSection={<IconUserPlus size={16} aria-hidden="true" />}
              onClick={() => setInviting(true)}
            >
              {m.account_invite()}
            </Button>
          </>
        }
      />
      {isPending && <PanelSkeleton height={480} />}
      {/* The list of invitations would move the users if it came after them. */}
      <div className={layout.stack} hidden={isPending}>
        <InvitationList />
        <UserList />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

type InvitedPerson = Person & { email: string };

function InviteDialog({ onClose }: { onClose: () => void }) {
  const { superadmin, companyCode } = useUser();
  const announceSuccess = useAnnounceSuccess(['users']);
  const form = useForm<InvitedPerson>({
    initialValues: {
      email: '',
      first_name: '',
      last_name: '',
      role: 'user',
      company_code: superadmin ? '' : (companyCode ?? ''),
    },
  });
  const invite = async () => {
    await call<typeof createInvitation>('POST /invitations', { body: form.values });
    await announceSuccess(m.account_invited({ email: form.values.email }));
  };
  return (
    <FormDialog
      title={m.account_invite_title()}
      submitLabel={m.account_invite_send()}
      busyLabel={m.account_invite_sending()}
      fallback={m.account_invite_failed()}
      form={form}
      onSubmit={invite}
      onClose={onClose}
    >
      <p>{m.account_invite_hint()}</p>
      <TextInput
        label={m.account_register_email()}
        type="email"
        autoComplete="off"
        required
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <PersonFields form={form} />
    </FormDialog>
  );
}
