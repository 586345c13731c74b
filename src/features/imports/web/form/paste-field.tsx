import { Textarea } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { splitSerials } from './split-serials.ts';

type Props = { text: string; onText: (text: string) => void; disabled: boolean };

/** Takes serials as text, and counts them. */
export function PasteField({ text, onText, disabled }: Props) {
  const count = splitSerials(text).length;
  return (
    <div className="stack tight">
      <Textarea
        label={m.data_paste_label()}
        description={m.data_paste_hint()}
        rows={10}
        spellCheck={false}
        value={text}
        disabled={disabled}
        onChange={({ target }) => onText(target.value)}
      />
      <p className="dim" aria-live="polite">
        {m.data_paste_count({ count, number: formatNumber(count) })}
      </p>
    </div>
  );
}
