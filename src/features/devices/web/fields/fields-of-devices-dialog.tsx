import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { updateDevices } from '#features/devices/devices.contract.ts';
import { maxFieldValueLength } from '#features/devices/fields.shared.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { formatNumber } from '#web/format/format.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import type { OwnField } from './fields.api.ts';

type Props = {
  fields: readonly OwnField[];
  /** The list's query string, and the number of devices that it finds. */
  filter: string;
  count: number;
  /** Sends the change. */
  change: (send: () => Promise<unknown>) => Promise<void>;
  onSaved?: (() => void) | undefined;
  onClose: () => void;
};

/** Gives all devices of a selection the same value of an own column. */
export function FieldsOfDevicesDialog({ fields, filter, count, change, onSaved, onClose }: Props) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(fields[0]?.key ?? '');
  // A colleague may have removed the chosen column. No other takes its place by itself.
  const isPresent = fields.some((field) => field.key === chosen);
  const [value, setValue] = useState('');
  const save = async () => {
    const body = { filter, count, fields: { [chosen]: value.trim() || null } };
    await change(() => call<typeof updateDevices>('POST /devices/fields', { body }));
    onSaved?.();
    void queries.invalidateQueries({ queryKey: ['devices'] });
    toast.success(m.devices_fields_changed_of({ count, number: formatNumber(count) }));
  };
  return (
    <FormDialog
      title={m.devices_fields_set({ count, number: formatNumber(count) })}
      submitLabel={m.devices_fields_save()}
      busyLabel={m.devices_fields_saving()}
      fallback={m.devices_fields_failed()}
      onSubmit={save}
      onClose={onClose}
    >
      <NativeSelect
        label={m.devices_field_filter()}
        required
        value={isPresent ? chosen : ''}
        data={[
          ...(isPresent ? [] : [{ value: '', label: '' }]),
          ...fields.map((field) => ({ value: field.key, label: field.name })),
        ]}
        onChange={({ target }) => setChosen(target.value)}
      />
      <TextInput
        label={m.devices_field_value()}
        description={m.devices_fields_set_hint()}
        maxLength={maxFieldValueLength}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
    </FormDialog>
  );
}
