import { NativeSelect } from '@mantine/core';
import { maxFieldValueLength } from '#features/devices/fields.shared.ts';
import { m } from '#shared/texts/messages.js';
import { TypedField } from '#web/ui/field/typed-field.tsx';
import { type FieldFilter, readFieldFilters, writeFieldFilters } from './field-address.view.ts';
import type { OwnField } from './fields.api.ts';

type Props = {
  fields: readonly OwnField[];
  /** The filters as the address has them. */
  filter: string;
  /** `replace`: without a step of the history, while somebody types. */
  onFilter: (filter: string, options?: { replace: boolean }) => void;
};

const none: FieldFilter = { key: '', how: 'contains', value: '' };

/** Narrows a list by own columns: by one, and by all of a saved view that has several. */
export default function FieldFilterChoice({ fields, filter, onFilter }: Props) {
  const filters = readFieldFilters(filter);
  return (filters.length === 0 ? [none] : filters).map((one, at) => (
    <OneFilter
      // biome-ignore lint/suspicious/noArrayIndexKey: a filter has no identity but its place
      key={at}
      fields={fields}
      filter={one}
      onFilter={(changed, options) => onFilter(writeFieldFilters(filters.toSpliced(at, 1, changed)), options)}
    />
  ));
}

type OneProps = {
  fields: readonly OwnField[];
  filter: FieldFilter;
  onFilter: (filter: FieldFilter, options?: { replace: boolean }) => void;
};

function OneFilter({ fields, filter, onFilter }: OneProps) {
  const { key, how, value } = filter;
  const isKnown = key === '' || fields.some((field) => field.key === key);
  const change = (part: Partial<FieldFilter>, options?: { replace: boolean }) =>
    onFilter({ ...filter, ...part }, options);
  return (
    <>
      <NativeSelect
        label={m.devices_field_filter()}
        value={key}
        data={[
          { value: '', label: m.results_all() },
          ...(isKnown ? [] : [{ value: key, label: key }]),
          ...fields.map((field) => ({ value: field.key, label: field.name })),
        ]}
        onChange={({ target }) => change({ key: target.value })}
      />
      {key !== '' && (
        <NativeSelect
          label={m.devices_field_how()}
          value={how === 'empty' ? `empty ${value}` : how}
          data={[
            { value: 'contains', label: m.devices_field_contains() },
            { value: '', label: m.devices_field_is() },
            { value: 'empty true', label: m.devices_field_empty() },
            { value: 'empty false', label: m.devices_field_filled() },
          ]}
          onChange={({ target: { value: chosen } }) => {
            if (chosen.startsWith('empty ')) change({ how: 'empty', value: chosen.slice('empty '.length) });
            else change({ how: chosen as '' | 'contains', value: how === 'empty' ? '' : value });
          }}
        />
      )}
      {key !== '' && how !== 'empty' && (
        <TypedField
          label={m.devices_field_value()}
          maxLength={maxFieldValueLength}
          value={value}
          onTyped={(typed) => change({ value: typed }, { replace: true })}
        />
      )}
    </>
  );
}
