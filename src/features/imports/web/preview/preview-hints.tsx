import { Button, NativeSelect } from '@mantine/core';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { cutText } from '#shared/cut-text.ts';
import { m } from '#shared/texts/messages.js';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import type { SheetChoice } from '../upload-attempt.ts';

type Props = {
  preview: SheetPreview;
  /** The column in place of which a better one is read; null if none was replaced. */
  replaced: string | null;
  choice: SheetChoice;
  onTake: (field: keyof SheetChoice, choice: SheetChoice) => void;
};

/** Warns where another sheet or column is more likely to hold the serials, and offers it, or the column that it replaced. */
export function PreviewHints({ preview, replaced, choice, onTake }: Props) {
  const { sheet, column, default_column: normal, suggested_sheet, suggested_column } = preview;
  if (suggested_sheet !== null)
    return (
      <Hint
        text={m.preview_sheet_suggested({ sheet, suggested: suggested_sheet })}
        offer={m.preview_use_sheet({ sheet: suggested_sheet })}
        onTake={() => onTake('sheet', { sheet: suggested_sheet, column: null })}
      />
    );
  if (suggested_column !== null)
    return (
      <Hint
        text={m.preview_column_suggested({ suggested: suggested_column, column })}
        offer={m.preview_use_column({ column: suggested_column })}
        onTake={() => onTake('column', { sheet, column: suggested_column })}
      />
    );
  if (replaced !== null)
    return (
      <Hint
        text={m.preview_column_replaced({ column, from: replaced })}
        offer={m.preview_use_column({ column: replaced })}
        onTake={() => onTake('column', { sheet, column: replaced })}
      />
    );
  if (preview.valid_count === 0)
    return <Banner tone="warning">{m.preview_column_nothing({ column })}</Banner>;
  if (column !== normal && choice.column === null)
    return (
      <Hint
        text={m.preview_column_none({ from: normal, column })}
        offer={m.preview_use_column({ column: normal })}
        onTake={() => onTake('column', { sheet, column: normal })}
      />
    );
  return null;
}

function Hint({ text, offer, onTake }: { text: string; offer: string; onTake: () => void }) {
  return (
    <Banner
      tone="warning"
      action={
        <Button size="compact-sm" variant="default" onClick={onTake}>
          {offer}
        </Button>
      }
    >
      {text}
    </Banner>
  );
}

type FieldsProps = { preview: SheetPreview; onChoose: (choice: SheetChoice) => void };

const maxHeadLength = 40;

export function SheetFields({ preview: { sheet, sheets, column, columns }, onChoose }: FieldsProps) {
  const options = columns.map(({ column: value, head }) => ({
    value,
    label: head === '' ? value : `${value} · ${cutText(head, maxHeadLength)}`,
  }));
  if (!options.some(({ value }) => value === column)) options.push({ value: column, label: column });
  if (sheets.length < 2 && options.length < 2) return null;
  return (
    <div className={layout.fieldGrid}>
      {sheets.length > 1 && (
        <NativeSelect
          name="sheet"
          label={m.preview_sheet()}
          value={sheet}
          data={sheets}
          onChange={({ target }) => onChoose({ sheet: target.value, column: null })}
        />
      )}
      {options.length > 1 && (
        <NativeSelect
          name="column"
          label={m.preview_column()}
          value={column}
          data={options}
          onChange={({ target }) => onChoose({ sheet, column: target.value })}
        />
      )}
    </div>
  );
}
