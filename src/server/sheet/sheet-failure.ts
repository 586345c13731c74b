import { AppError, invalidField } from '#server/http/errors/errors.ts';
import { TaskLimitError } from '#server/threads/thread-tasks.ts';
import { m } from '#shared/texts/messages.js';
import { asSheetError, SheetError, type SheetFault } from './sheet-error.ts';

const texts = {
  unsupported: m.server_sheet_unsupported,
  old_excel: m.server_sheet_old_excel,
  encrypted: m.server_sheet_encrypted,
  corrupt: m.server_sheet_corrupt,
  bomb: m.server_sheet_bomb,
  dtd: m.server_sheet_dtd,
  slow: m.server_sheet_slow,
  no_sheet: m.server_sheet_missing,
} as const;

/** Returns the error that the uploader sees. @param maxRows the limit of rows that applied */
export function sheetFailure(fault: SheetFault, maxRows: number): AppError {
  if (fault === 'no_sheet') return invalidField('sheet', texts.no_sheet);
  const { status } = new SheetError(fault, '');
  return new AppError(status, `sheet_${fault}`, (_, { locale }) =>
    fault === 'too_many_rows'
      ? m.server_sheet_too_many_rows({ maximum: maxRows }, { locale })
      : texts[fault]({}, { locale }),
  );
}

/**
 * Converts an error of reading a sheet to the error that the uploader sees. Returns other errors as they are.
 * @param maxRows the limit of rows that applied
 * @param uncaught whether the error was thrown in a library's callback, which only a damaged file causes
 */
export function explainSheetError(maxRows: number, error: unknown, uncaught = false): unknown {
  if (error instanceof TaskLimitError) return sheetFailure(error.limit === 'time' ? 'slow' : 'bomb', maxRows);
  const found = uncaught ? asSheetError(error) : error;
  return found instanceof SheetError ? sheetFailure(found.fault, maxRows) : found;
}
