import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

type Props = {
  /** The cells with a serial, and those without. */
  expected: { valid: number; invalid: number };
  column: string;
  onUpload: () => void;
  onClose: () => void;
};

/** Asks whether a sheet with few serials is meant, because each of its rows becomes part of a ticket. */
export function FewSerialsQuestion({ expected: { valid, invalid }, column, onUpload, onClose }: Props) {
  return (
    <ConfirmDialog
      title={m.preview_few_title()}
      text={m.preview_few({ valid: formatNumber(valid), rows: formatNumber(valid + invalid), column })}
      confirmLabel={m.preview_few_confirm()}
      busyLabel={m.data_uploading()}
      fallback={m.preview_failed()}
      onConfirm={async () => onUpload()}
      onClose={onClose}
    />
  );
}
