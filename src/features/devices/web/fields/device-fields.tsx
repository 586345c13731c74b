import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Device, updateDevice } from '#features/devices/devices.contract.ts';
import { maxFieldValueLength } from '#features/devices/fields.shared.ts';
import { ownValue } from '#shared/own-value.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { deviceQuery } from '../devices.api.ts';
import { useFields } from './fields.api.ts';
import { FieldsNotRead } from './fields-not-read.view.tsx';

/** The typed values that are not saved, by device and key of the column. They outlive the panel of a device. */
export type UnsavedValues = Map<string, Record<string, string>>;

type Props = { device: Device; unsaved: UnsavedValues };

/** The values of a device's own columns, each a field to edit. Without own columns nothing, unless they could not be read. */
export function DeviceFields({ device, unsaved }: Props) {
  const queries = useQueryClient();
  const fields = useFields(device.company_code);
  const [typed, setTyped] = useState(unsaved.get(device._id) ?? {});
  useEffect(() => void unsaved.set(device._id, typed), [unsaved, device._id, typed]);
  // Only of present columns: a colleague may have removed one.
  const changed = fields.flatMap(({ key }) => {
    const value = ownValue(typed, key)?.trim();
    return value === undefined || value === (ownValue(device.fields, key) ?? '')
      ? []
      : [[key, value] as const];
  });
  const { busy, error, submit } = useSubmit({
    send: async () => {
      const { device: stored } = await call<typeof updateDevice>('PATCH /devices/{id}', {
        params: { id: device._id },
        body: { fields: Object.fromEntries(changed.map(([key, value]) => [key, value || null])) },
      });
      queries.setQueryData(
        deviceQuery(device._id).queryKey,
        (known) => known && { ...known, device: stored },
      );
      // Other values may have been typed by now, and the panel may be closed.
      const leaveOutSent = (now: typeof typed) =>
        Object.fromEntries(Object.entries(now).filter(([key, text]) => text !== typed[key]));
      unsaved.set(device._id, leaveOutSent(unsaved.get(device._id) ?? {}));
      setTyped(leaveOutSent);
      void queries.invalidateQueries({ queryKey: ['devices'] });
      toast.success(m.devices_fields_changed());
    },
    fallback: m.devices_fields_failed(),
  });
  if (fields.length === 0) return <FieldsNotRead companyCode={device.company_code} />;
  return (
    <form className={layout.tightStack} aria-label={m.devices_fields()} onSubmit={submit}>
      {error !== null && <Outcome tone="error">{error}</Outcome>}
      {fields.map(({ key, name }) => (
        <TextInput
          key={key}
          label={name}
          maxLength={maxFieldValueLength}
          value={ownValue(typed, key) ?? ownValue(device.fields, key) ?? ''}
          onChange={({ currentTarget }) => setTyped({ ...typed, [key]: currentTarget.value })}
        />
      ))}
      <div className={layout.row}>
        <Button type="submit" variant="default" disabled={busy || changed.length === 0}>
          {busy ? m.devices_fields_saving() : m.devices_fields_save()}
        </Button>
      </div>
    </form>
  );
}
