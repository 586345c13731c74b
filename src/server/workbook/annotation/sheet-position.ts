import { columnOf } from '../../sheet/xlsx/raw-cell.ts';
import { attributeOf, type Tag } from './xml-tokens.ts';

/** Follows the rows and cells of a worksheet part, which may or may not have references. */
export class SheetPosition {
  /** Counted from 1. */
  row = 0;
  column = 0;
  inData = false;
  inRow = false;
  inCell = false;

  /** Takes the next tag. */
  follow(token: string, { kind, name }: Tag): void {
    if (name === 'sheetData') {
      this.inData = kind === 'open';
    } else if (!this.inData) {
      return;
    } else if (name === 'row') {
      this.inRow = kind === 'open';
      if (kind === 'close') return;
      const written = attributeOf(token, 'r');
      this.row = written === undefined ? this.row + 1 : Number(written);
      this.column = 0;
    } else if (name === 'c' && this.inRow) {
      this.inCell = kind === 'open';
      if (kind === 'close') return;
      const written = attributeOf(token, 'r');
      this.column = written === undefined ? this.column + 1 : columnOf(written);
    }
  }
}
