import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { createInvitation } from '#features/accounts/invitations.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useUser } from '#web/client/session.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { type Person, PersonFields } from './person-fields.tsx';

/** Invites a person by mail. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { superadmin, companyCode } = useUser();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [person, setPerson] = useState<Person>({
    first_name: '',
    last_name: '',
    role: 'user',
    company_code: superadmin ? '' : (companyCode ?? ''),
  });
  const invite = async () => {
    await call<typeof createInvitation>('POST /invitations', { body: { email, ...person } });
    toast.success(m.account_invited({ email }));
    await queries.invalidateQueries({ queryKey: ['users'] });
  };
  return (
    <FormDialog
      title={m.account_invite_title()}
      submitLabel={m.account_invite_send()}
      busyLabel={m.account_invite_sending()}
      fallback={m.account_invite_failed()}
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
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <PersonFields person={person} onChange={(change) => setPerson({ ...person, ...change })} />
    </FormDialog>
  );
}
