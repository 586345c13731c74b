import { Checkbox } from '@mantine/core';
import { m } from '#shared/texts/messages.js';

type Props = { checked: boolean; onChange: (checked: boolean) => void };

/** Whether a deletion of data also forgets devices. */
export function ForgetDevices({ checked, onChange }: Props) {
  return (
    <Checkbox
      label={m.devices_also_forget()}
      description={m.devices_also_forget_hint()}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
