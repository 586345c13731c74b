import { useQuery } from '@tanstack/react-query';
import { ownCompanyQuery } from '#features/clients/web/clients.api.ts';
import { m } from '#shared/texts/messages.js';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';

const largest = 1_000_000_000;

type Props = { days: string; onDays: (typed: string) => void; disabled: boolean };

/** Chooses the age below which answers of the register are taken; empty to look up every row. */
export function FreshField({ days, onDays, disabled }: Props) {
  const { data } = useQuery(ownCompanyQuery);
  const isUnbilled = data?.client.bill_known === false;
  return (
    <WholeNumberField
      label={m.data_upload_fresh()}
      hint={[m.data_upload_fresh_hint(), ...(isUnbilled ? [m.data_upload_fresh_unbilled()] : [])].join(' ')}
      unit={m.data_upload_fresh_unit()}
      optional
      disabled={disabled}
      value={days}
      min={1}
      max={largest}
      onChange={onDays}
    />
  );
}
