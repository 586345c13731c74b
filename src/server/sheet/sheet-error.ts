/**
 * The reasons why a file cannot be read: not a supported workbook, saved by Excel 4 or older, encrypted, damaged,
 * a decompression bomb, containing a DTD, too many rows, too slow to read, or without the requested sheet.
 */
export type SheetFault =
  | 'unsupported'
  | 'old_excel'
  | 'encrypted'
  | 'corrupt'
  | 'bomb'
  | 'dtd'
  | 'too_many_rows'
  | 'slow'
  | 'no_sheet';

const statuses: Record<SheetFault, number> = {
  unsupported: 415,
  old_excel: 415,
  encrypted: 422,
  corrupt: 422,
  bomb: 422,
  dtd: 422,
  too_many_rows: 413,
  slow: 422,
  no_sheet: 400,
};

/** A file that cannot be read as a sheet. `message` is the technical reason, for logs. */
export class SheetError extends Error {
  readonly fault: SheetFault;
  /** The matching HTTP status. */
  readonly status: number;

  constructor(fault: SheetFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
    this.status = statuses[fault];
  }
}

/** Returns a SheetError as it is, and wraps any other error as a damaged file. */
export function asSheetError(error: unknown): SheetError {
  if (error instanceof SheetError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SheetError('corrupt', reason, { cause: error });
}
