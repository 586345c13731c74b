import { NativeSelect, TextInput } from '@mantine/core';
import type { UserEntry } from '#features/accounts/users.contract.ts';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { listRoles } from './role-names.ts';

export type Person = Pick<UserEntry, 'first_name' | 'last_name' | 'role'> & { company_code: string };

type Props = {
  person: Person;
  onChange: (change: Partial<Person>) => void;
  ownRights?: boolean;
};

/** Names, role and company of a person. A company administrator gives neither another company nor the role superadmin. */
export function PersonFields({ person, onChange, ownRights = false }: Props) {
  const { superadmin } = useUser();
  return (
    <>
      <TextInput
        label={m.account_first_name()}
        autoComplete="off"
        required
        maxLength={100}
        value={person.first_name}
        onChange={({ target }) => onChange({ first_name: target.value })}
      />
      <TextInput
        label={m.account_last_name()}
        autoComplete="off"
        maxLength={100}
        value={person.last_name}
        onChange={({ target }) => onChange({ last_name: target.value })}
      />
      <NativeSelect
        label={m.account_register_role()}
        value={person.role}
        disabled={ownRights}
        data={listRoles().filter(({ value }) => superadmin || value !== 'superadmin')}
        onChange={({ target }) => onChange({ role: target.value as Person['role'] })}
      />
      {superadmin && !ownRights && (
        <CompanySelect
          label={m.account_register_company()}
          placeholder={m.account_register_company_placeholder()}
          value={person.company_code}
          activeOnly
          required
          onChange={(company_code) => onChange({ company_code })}
        />
      )}
    </>
  );
}
