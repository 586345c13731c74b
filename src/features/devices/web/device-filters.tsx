import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { formatNumber } from '#web/format/format.ts';
import { dayInput } from '#web/ui/field/day-input.ts';
import { anyEnd, type DeviceFilter } from './device-filter.ts';
import { figuresQuery } from './devices.api.ts';

type Props = {
  id: string;
  filter: DeviceFilter;
  onFilter: (change: Partial<DeviceFilter>) => void;
};
type Value = { value: string; count: number };

export function DeviceFilters({ id, filter, onFilter }: Props) {
  const { superadmin } = useUser();
  const { data } = useQuery(figuresQuery(filter.company_code, '1'));
  const choose = (name: 'type' | 'warranty' | 'source', label: string, values: readonly Value[] = []) => {
    const chosen = filter[name];
    const isListed = chosen === '' || values.some(({ value }) => value === chosen);
    return (
      <NativeSelect
        label={label}
        value={chosen}
        data={[
          { value: '', label: m.results_all() },
          ...(isListed ? [] : [{ value: chosen, label: chosen }]),
          ...values.map(({ value, count }) => ({ value, label: `${value} (${formatNumber(count)})` })),
        ]}
        onChange={({ target }) => onFilter({ [name]: target.value })}
      />
    );
  };
  const pickDay = (
    name: 'ends_from' | 'ends_to' | 'checked_before' | 'changed_since',
    label: string,
    without: Partial<DeviceFilter> = {},
  ) => (
    <TextInput
      {...dayInput}
      label={label}
      value={filter[name]}
      onChange={({ currentTarget: { value } }) => onFilter({ ...without, [name]: value })}
    />
  );
  // Both days of the range stay while one of them changes.
  const { ends_from, ends_to } = filter;
  const range = { ...anyEnd, ends_from, ends_to };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form
    <div id={id} className="filter-grid" role="group" aria-label={m.devices_more_filters()}>
      {choose('type', m.data_type(), data?.types)}
      {choose('warranty', m.data_warranty(), data?.warranties)}
      {choose('source', m.results_source(), data?.sources)}
      {pickDay('ends_from', m.devices_ends_from(), range)}
      {pickDay('ends_to', m.devices_ends_to(), range)}
      {pickDay('checked_before', m.devices_checked_before())}
      {pickDay('changed_since', m.devices_changed_since())}
      <TextInput
        label={m.devices_ticket()}
        inputMode="numeric"
        maxLength={15}
        value={filter.ticket_number}
        onChange={({ currentTarget: { value } }) => onFilter({ ticket_number: value.replaceAll(/\D/g, '') })}
      />
      {superadmin && (
        <CompanySelect
          label={m.devices_company()}
          value={filter.company_code}
          any={m.audit_all_companies()}
          onChange={(company_code) => onFilter({ company_code })}
        />
      )}
    </div>
  );
}
