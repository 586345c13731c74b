import { Button, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { maxCorrectionLength } from '#features/imports/corrections.shared.ts';
import { describeInvalid } from '#features/imports/failure-texts.shared.ts';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { saveFile } from '#web/browser/save-file.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { PlainTable } from '#web/ui/table/plain-table.tsx';
import { isUnchanged, readCorrection, type TypedCells, toOneLine } from './corrections.ts';
import styles from './preview-panel.module.css';
import { toCsv } from './to-csv.ts';

type Props = {
  preview: SheetPreview;
  typed: TypedCells;
  onType: (typed: TypedCells) => void;
  /** Whether another column is being read, whose cells will replace these. */
  readOnly: boolean;
};

/**
 * The first invalid cells of a sheet with their reasons: each short one can be corrected for the upload, and all be
 * downloaded. Those of a list are corrected in the list itself.
 */
export function InvalidCells({ preview, typed, onType, readOnly }: Props) {
  const { invalid, invalid_count: all, column } = preview;
  if (invalid.length === 0) return null;
  const isList = column === '';
  const rows = invalid.map(({ row, value, reason }) => {
    const cell = isList ? m.data_paste_entry({ number: formatNumber(row) }) : `${column}${row}`;
    return [cell, value, reason] as const;
  });
  const heads = [m.preview_cell(), m.preview_value(), m.preview_reason()] as const;
  const save = () => {
    const csv = new Blob([toCsv([heads, ...rows])], { type: 'text/csv' });
    saveFile(csv, 'invalid_cells.csv');
  };
  return (
    <div className={`${layout.tightStack} ${styles.invalidCells}`}>
      <div className={layout.spread}>
        <h3>{m.preview_invalid()}</h3>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={save}
        >
          {m.preview_invalid_download()}
        </Button>
      </div>
      <p className={typography.dim}>
        {isList ? m.preview_correct_list() : m.preview_correct_hint()}
        {all > invalid.length && ` ${m.preview_invalid_first({ count: formatNumber(invalid.length) })}`}
      </p>
      <PlainTable
        label={m.preview_invalid()}
        headers={heads}
        rows={rows.map(([cell, value, reason]) => {
          if (isList) return { key: cell, cells: [cell, value, reason] };
          if (mayBeCut(value)) return { key: cell, cells: [cell, value, m.preview_correct_long({ reason })] };
          const state = describeState(typed[cell]?.text, value, reason);
          const field = (
            <TextInput
              key="value"
              size="xs"
              aria-label={m.preview_correct({ cell })}
              aria-description={state}
              maxLength={maxCorrectionLength}
              autoComplete="off"
              spellCheck={false}
              readOnly={readOnly}
              value={typed[cell]?.text ?? toOneLine(value)}
              onChange={({ target }) => onType({ ...typed, [cell]: { text: target.value, value } })}
            />
          );
          return { key: cell, cells: [cell, field, state] };
        })}
      />
    </div>
  );
}

/** Returns whether a cell may hold more than is listed of it. A correction would lose that, because it replaces the cell. */
const mayBeCut = (value: string) => value.length >= maxCorrectionLength;

function describeState(text: string | undefined, value: string, reason: string): string {
  if (text === undefined || isUnchanged(text, value)) return reason;
  const reading = readCorrection(text);
  if (reading.kind === 'empty') return reason;
  if (reading.kind === 'invalid') return describeInvalid(reading.reason);
  return m.preview_corrected({ serials: reading.identifiers.map(({ serial }) => serial).join(', ') });
}
