import { NativeSelect, TextInput } from '@mantine/core';
import { longestFieldValue } from '#features/devices/fields.shared.ts';
import { m } from '#shared/texts/messages.js';
import { type FieldFilter, readFieldFilter, writeFieldFilter } from './field-address.view.ts';
import type { OwnField } from './fields.api.ts';

type Props = { fields: readonly OwnField[]; filter: string; onFilter: (filter: string) => void };

/** Narrows a list by one own column. Nothing without own columns. */
export function FieldFilterChoice({ fields, filter, onFilter }: Props) {
  if (fields.length === 0) return null;
  const { key, how, value } = readFieldFilter(filter) ?? { key: '', how: 'contains', value: '' };
  const change = (part: Partial<FieldFilter>) => onFilter(writeFieldFilter({ key, how, value, ...part }));
  return (
    <>
      <NativeSelect
        label={m.devices_field_filter()}
        value={key}
        data={[
          { value: '', label: m.results_all() },
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
        <TextInput
          label={m.devices_field_value()}
          maxLength={longestFieldValue}
          value={value}
          onChange={({ currentTarget }) => change({ value: currentTarget.value })}
        />
      )}
    </>
  );
}
