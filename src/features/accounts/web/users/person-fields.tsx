import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { UserEntry } from '#features/accounts/users.contract.ts';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { listRoles, wholeName } from './role-names.ts';
import { updateUser } from './users.api.ts';

export type Person = Pick<UserEntry, 'first_name' | 'last_name' | 'role'> & { company_code: string };

type Props = {
  form: UseFormReturnType<Person>;
  ownRights?: boolean;
};

/** Names, role and company of a person. A company administrator gives neither another company nor the role superadmin. */
export function PersonFields({ form, ownRights = false }: Props) {
  const { superadmin } = useUser();
  return (
    <>
      <TextInput
        label={m.account_first_name()}
        autoComplete="off"
        required
        maxLength={100}
        {...form.getInputProps('first_name')}
      />
      <TextInput
        label={m.account_last_name()}
        autoComplete="off"
        maxLength={100}
        {...form.getInputProps('last_name')}
      />
      <NativeSelect
        label={m.account_register_role()}
        disabled={ownRights}
        data={listRoles().filter(({ value }) => superadmin || value !== 'superadmin')}
        {...form.getInputProps('role')}
      />
      {superadmin && !ownRights && (
        <CompanySelect
          label={m.account_register_company()}
          placeholder={m.account_register_company_placeholder()}
          activeOnly
          required
          {...form.getInputProps('company_code')}
        />
      )}
    </>
  );
}

const valuesOf = ({ first_name, last_name, role, company_code }: UserEntry): Person => ({
  first_name,
  last_name,
  role,
  company_code: company_code ?? '',
});

export function UserEditDialog({ user, onClose }: { user: UserEntry; onClose: () => void }) {
  const { email } = useUser();
  const announceSuccess = useAnnounceSuccess(['users']);
  const { form, edited } = useStoredForm({ stored: user, valuesOf });
  const save = async () => {
    if (Object.keys(edited).length === 0) return;
    const { user: saved } = await updateUser(user._id, edited);
    await announceSuccess(m.account_user_updated({ name: wholeName(saved) }));
  };
  return (
    <FormDialog
      title={m.account_user_edit({ name: wholeName(user) })}
      submitLabel={m.account_user_save()}
      busyLabel={m.account_user_saving()}
      fallback={m.account_user_update_failed()}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <PersonFields form={form} ownRights={user.email === email} />
      {user.email !== email && <p>{m.account_user_edit_hint()}</p>}
    </FormDialog>
  );
}
