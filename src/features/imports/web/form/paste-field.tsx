import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ownCompanyQuery } from '#features/clients/web/clients.api.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { splitSerials } from './split-serials.ts';

type Props = { text: string; onText: (text: string) => void; disabled: boolean };

export function PasteField({ text, onText, disabled }: Props) {
  const count = splitSerials(text).length;
  return (
    <div className={layout.tightStack}>
      <Textarea
        label={m.data_paste_label()}
        description={m.data_paste_hint()}
        rows={6}
        spellCheck={false}
        value={text}
        disabled={disabled}
        onChange={({ target }) => onText(target.value)}
      />
      <p className={typography.dim} aria-live="polite">
        {m.data_paste_count({ count, number: formatNumber(count) })}
      </p>
    </div>
  );
}

const largest = 1_000_000_000;

type FreshProps = { form: string; days: string; onDays: (typed: string) => void; disabled: boolean };

/** Chooses the age below which answers of the register are taken; empty to look up every row. */
export function FreshField({ form, days, onDays, disabled }: FreshProps) {
  const { data } = useQuery(ownCompanyQuery);
  const isUnbilled = data?.client.bill_known === false;
  return (
    <WholeNumberField
      label={m.data_upload_fresh()}
      hint={[m.data_upload_fresh_hint(), ...(isUnbilled ? [m.data_upload_fresh_unbilled()] : [])].join(' ')}
      unit={m.data_upload_fresh_unit()}
      optional
      form={form}
      disabled={disabled}
      value={days}
      min={1}
      max={largest}
      onChange={onDays}
    />
  );
}
