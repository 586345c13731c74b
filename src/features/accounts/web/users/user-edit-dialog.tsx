import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserEntry } from '#features/accounts/users.contract.ts';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { PersonFields } from './person-fields.tsx';
import { wholeName } from './role-names.ts';
import { updateUser } from './users.api.ts';

export function UserEditDialog({ user, onClose }: { user: UserEntry; onClose: () => void }) {
  const { email } = useUser();
  const queries = useQueryClient();
  const [person, setPerson] = useState({ ...user, company_code: user.company_code ?? '' });
  const save = async () => {
    const { first_name, last_name, role, company_code } = person;
    // Sends only changed fields, so that an edit of a name does not restore an older role.
    await updateUser(user._id, {
      first_name,
      last_name,
      ...(role !== user.role && { role }),
      ...(company_code !== (user.company_code ?? '') && { company_code }),
    });
    toast.success(m.account_user_updated({ name: wholeName(person) }));
    await queries.invalidateQueries({ queryKey: ['users'] });
  };
  return (
    <FormDialog
      title={m.account_user_edit({ name: wholeName(user) })}
      submitLabel={m.account_user_save()}
      busyLabel={m.account_user_saving()}
      fallback={m.account_user_update_failed()}
      onSubmit={save}
      onClose={onClose}
    >
      <PersonFields
        person={person}
        ownRights={user.email === email}
        onChange={(change) => setPerson({ ...person, ...change })}
      />
      {user.email !== email && <p>{m.account_user_edit_hint()}</p>}
    </FormDialog>
  );
}
