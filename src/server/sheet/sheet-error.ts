/**
 * What is wrong with a file: not a workbook that is read here, locked by a password, damaged, out of all proportion,
 * carrying a DTD, longer than allowed, or not read in the time allowed.
 */
export type SheetFault = 'unsupported' | 'encrypted' | 'corrupt' | 'bomb' | 'dtd' | 'too_many_rows' | 'slow';

const statuses: Record<SheetFault, number> = {
  unsupported: 415,
  encrypted: 422,
  corrupt: 422,
  bomb: 422,
  dtd: 422,
  too_many_rows: 413,
  slow: 422,
};

/** A file that cannot be read as a sheet. `message` tells the technical reason, for logs. */
export class SheetError extends Error {
  readonly family: SheetFault;
  /** The HTTP status that fits. */
  readonly status: number;

  constructor(family: SheetFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.family = family;
    this.status = statuses[family];
  }
}

/** The same error when it already says what is wrong, else a damaged file with that error as its cause. */
export function asSheetError(error: unknown): SheetError {
  if (error instanceof SheetError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SheetError('corrupt', reason, { cause: error });
}
