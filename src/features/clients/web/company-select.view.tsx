import type { ComponentProps } from 'react';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
import { useCompanyCodes } from './clients.api.ts';

type Props = Omit<ComponentProps<typeof SearchSelect>, 'options' | 'loading' | 'upperCase'> & {
  /** Names the first option, which stands for all companies; without it one company is chosen. */
  any?: string;
  activeOnly?: true;
};

/** Chooses a company by its code; for superadmins alone. A code that is not listed is an option while it is chosen. */
export function CompanySelect({ any, activeOnly, ...props }: Props) {
  const { codes, loading, error, retry } = useCompanyCodes(activeOnly && '1');
  const { value = '' } = props;
  const isListed = loading || value === '' || codes.some((option) => option.value === value);
  return (
    <SearchSelect
      {...props}
      options={[
        ...(any === undefined ? [] : [{ value: '', label: any }]),
        ...(isListed ? [] : [{ value, label: value }]),
        ...codes,
      ]}
      loading={loading}
      failure={error === null ? undefined : { text: describeFailure(error, m.clients_list_failed()), retry }}
      upperCase
    />
  );
}
