import { AppError } from '#server/errors.ts';
import { m } from '#shared/texts/messages.js';
import { SheetError, type SheetFault } from './sheet-error.ts';

const texts = {
  unsupported: m.server_sheet_unsupported,
  encrypted: m.server_sheet_encrypted,
  corrupt: m.server_sheet_corrupt,
  bomb: m.server_sheet_bomb,
  dtd: m.server_sheet_dtd,
  slow: m.server_sheet_slow,
} as const;

/** What the one who uploaded a file is told about it. @param maxRows how many rows it might have had */
export function sheetFailure(fault: SheetFault, maxRows: number): AppError {
  const { status } = new SheetError(fault, '');
  return new AppError(status, `sheet_${fault}`, (locale) =>
    fault === 'too_many_rows'
      ? m.server_sheet_too_many_rows({ maximum: maxRows }, { locale })
      : texts[fault]({}, { locale }),
  );
}
