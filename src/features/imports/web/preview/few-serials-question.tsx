import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

type Props = {
  /** The cells with a serial, and those without. */
  expected: { valid: number; invalid: number };
  /** The letter of the column; empty for a list. */
  column: string;
  onUpload: () => void;
  onClose: () => void;
};

/** Asks whether a sheet with few serials is meant, because each of its rows becomes part of a ticket. */
export function FewSerialsQuestion({ expected: { valid, invalid }, column, onUpload, onClose }: Props) {
  const counts = { valid: formatNumber(valid), rows: formatNumber(valid + invalid) };
  return (
    <ConfirmDialog
      title={m.preview_few_title()}
      text={column === '' ? m.preview_few_list(counts) : m.preview_few({ ...counts, column })}
      confirmLabel={m.preview_few_confirm()}
      busyLabel={m.data_uploading()}
      fallback={m.preview_failed()}
      onConfirm={async () => onUpload()}
      onClose={onClose}
    />
  );
}
