import { NativeSelect } from '@mantine/core';
import { Fragment } from 'react';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import type { listDevices } from '#features/devices/devices.contract.ts';
import { deviceFilters } from '#shared/device-filters.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import type { Read } from '#web/ui/feedback/read-state.tsx';
import { Chip, Chips } from '#web/ui/field/chip.tsx';
import { DayField } from '#web/ui/field/day-field.tsx';
import { TypedField } from '#web/ui/field/typed-field.tsx';
import { EndsWithinChip, endsWithin, nameEndsWithin } from './coverage/ends-within-chip.view.tsx';
import { anyEnd, type DeviceFilter, deviceFilter } from './device-filter.ts';
import type { DeviceFigures } from './devices.api.ts';
import { readFieldFilters, writeFieldFilters } from './fields/field-address.view.ts';
import FieldFilterChoice from './fields/field-filter.view.tsx';
import type { OwnField } from './fields/fields.api.ts';
import { listOptions, type Value } from './list-filter.view.ts';

type Props = {
  id: string;
  filter: DeviceFilter;
  figures: Read<DeviceFigures>;
  /** The own columns of the company. */
  fields: readonly OwnField[];
  onFilter: (change: Partial<DeviceFilter>, options?: { replace: boolean }) => void;
};

export function DeviceFilters({ id, filter, figures, fields, onFilter }: Props) {
  const { superadmin } = useUser();
  const { data } = figures;
  const choose = (name: 'type' | 'warranty' | 'source', label: string, values?: readonly Value[]) => (
    <NativeSelect
      label={label}
      value={filter[name]}
      data={listOptions(m.results_all(), filter[name], values)}
      onChange={({ target }) => onFilter({ [name]: target.value })}
    />
  );
  const pickDay = (
    name: 'ends_from' | 'ends_to' | 'checked_before' | 'changed_since',
    label: string,
    without: Partial<DeviceFilter> = {},
  ) => (
    <DayField label={label} value={filter[name]} onChange={(day) => onFilter({ ...without, [name]: day })} />
  );
  // Both days of the range stay while one of them changes.
  const { ends_from, ends_to } = filter;
  const range = { ...anyEnd, ends_from, ends_to };
  return (
    <>
      <PartNotRead read={figures} name={[m.data_type(), m.data_warranty(), m.results_source()].join(', ')} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form */}
      <div id={id} className={layout.filterGrid} role="group" aria-label={m.devices_more_filters()}>
        {choose('type', m.data_type(), data?.types)}
        {choose('warranty', m.data_warranty(), data?.warranties)}
        {choose('source', m.results_source(), data?.sources)}
        {pickDay('ends_from', m.devices_ends_from(), range)}
        {pickDay('ends_to', m.devices_ends_to(), range)}
        {pickDay('checked_before', m.devices_checked_before())}
        {pickDay('changed_since', m.devices_changed_since())}
        <TypedField
          label={m.devices_ticket()}
          inputMode="numeric"
          maxLength={15}
          value={filter.ticket_number}
          clean={(text) => text.replaceAll(/\D/g, '')}
          onTyped={(ticket_number) => onFilter({ ticket_number }, { replace: true })}
        />
        {fields.length > 0 && (
          <FieldFilterChoice
            fields={fields}
            filter={filter.own}
            onFilter={(own, options) => onFilter({ own }, options)}
          />
        )}
        {superadmin && (
          <CompanySelect
            label={m.devices_company()}
            value={filter.company_code}
            any={m.audit_all_companies()}
            onChange={(company_code) => onFilter({ company_code })}
          />
        )}
      </div>
    </>
  );
}

type Counts = NonNullable<Answer<typeof listDevices>['counts']>;

type ChipsProps = {
  filter: DeviceFilter;
  figures: DeviceFigures | undefined;
  counts: Counts | undefined;
  /** The own columns of the company. */
  fields: readonly OwnField[];
  onFilter: (change: Partial<DeviceFilter>) => void;
};

const changedDays = ['7', '30'] as const;

/** Names the chips whose counts or days are figures. */
export const nameFigureChips = () =>
  [m.devices_never(), ...changedDays.map((days) => m.devices_changed_within({ days }))].join(', ');

/** The filters at one press, with the counts of all devices. */
export function DeviceChips({ filter, figures, counts, fields, onFilter }: ChipsProps) {
  const chips: {
    count: number | undefined;
    label: string;
    choice: Partial<DeviceFilter>;
    without: Partial<DeviceFilter>;
  }[] = [
    ...(['activated', 'unactivated', 'unknown'] as const).map((activation) => ({
      count: counts?.[activation],
      label: deviceFilters.activation.choices[activation](),
      choice: { activation },
      without: { activation: '' } as const,
    })),
    { count: counts?.expired, label: m.data_expired(), choice: { expired: 'true' }, without: anyEnd },
    {
      count: figures?.never_covered,
      label: m.devices_never(),
      choice: { never_covered: 'true' },
      without: anyEnd,
    },
    ...changedDays.map((days) => ({
      count: figures?.[`changed_${days}`],
      label: m.devices_changed_within({ days }),
      choice: { changed_since: figures?.[`since_${days}`] ?? '' },
      without: { changed_since: '' },
    })),
  ];
  const isChosen = (choice: Partial<DeviceFilter>) =>
    Object.entries(choice).every(
      ([name, value]) => value !== '' && filter[name as keyof DeviceFilter] === value,
    );
  return (
    <Chips label={m.devices_filter()}>
      <Chip
        label={m.results_all()}
        count={counts?.all}
        pressed={!deviceFilter.isNarrowed({ ...filter, company_code: '' })}
        onPress={() => onFilter({ ...deviceFilter.none, company_code: filter.company_code })}
      />
      {[...listOthers(filter), ...listByColumns(filter.own, fields)].map(({ label, without }) => (
        <Chip key={label} label={label} count={null} pressed onPress={() => onFilter(without)} />
      ))}
      {chips.map(({ count, label, choice, without }) => (
        <Fragment key={label}>
          {/* The ends of coverage stand together. */}
          {'expired' in choice && (
            <EndsWithinChip
              chosen={filter.ends_within}
              countOf={(days) => (days === '30' ? counts?.ending_30 : figures?.[`ending_${days}`])}
              onChoose={(ends_within) => onFilter({ ...anyEnd, ends_within })}
            />
          )}
          <Chip
            label={label}
            count={count}
            pressed={isChosen(choice)}
            disabled={choice.changed_since === ''}
            onPress={(press) => onFilter({ ...without, ...(press && choice) })}
          />
        </Fragment>
      ))}
    </Chips>
  );
}

/** Lists the filters of a view or an address that no other chip or field shows. Pressing its chip removes one. */
function listOthers({ ids, ends_within: days, expired, never_covered: never }: DeviceFilter) {
  const count = ids.split(',').length;
  const isOther = days !== '' && endsWithin.every((offered) => offered !== days);
  const others: { isSet: boolean; label: string; without: Partial<DeviceFilter> }[] = [
    {
      isSet: ids !== '',
      label: m.devices_chosen({ count, number: formatNumber(count) }),
      without: { ids: '' },
    },
    { isSet: isOther, label: nameEndsWithin(days), without: { ends_within: '' } },
    { isSet: expired === 'false', label: m.devices_not_expired(), without: { expired: '' } },
    { isSet: never === 'false', label: m.devices_end_known(), without: { never_covered: '' } },
  ];
  return others.filter(({ isSet }) => isSet);
}

/** Lists the filters by own columns without a known name, of several companies or removed, as calls write them. */
function listByColumns(own: string, fields: readonly OwnField[]) {
  const filters = readFieldFilters(own);
  return filters
    .filter(({ key }) => !fields.some((field) => field.key === key))
    .map((one) => ({
      label: writeFieldFilters([one]),
      without: { own: writeFieldFilters(filters.filter((other) => other !== one)) },
    }));
}
