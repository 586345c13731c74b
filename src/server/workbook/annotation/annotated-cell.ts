import { toCellText } from '../../sheet/cell-text.ts';
import { type Cell, escapeText, readsAsNumber } from '../cell.ts';
import { dayMs, epoch } from '../dates.ts';
import type { AddedStyles } from './add-styles.ts';

/** The days between Excel's two calendars. */
const days1904 = 1462;

/** The cells that are written into an uploaded workbook. */
export type CellForm = {
  /** Undefined writes days and instants as texts, and texts without a format. */
  styles: AddedStyles | undefined;
  date1904: boolean;
};

/** Returns a cell as text: days as YYYY-MM-DD, instants with hours and minutes. */
export function textOfCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return String(cell);
  if (typeof cell.value !== 'number' || (cell.form !== 'day' && cell.form !== 'instant'))
    return String(cell.value);
  const written = new Date(Math.round((cell.value - epoch) * dayMs)).toISOString();
  return cell.form === 'day' ? written.slice(0, 10) : written.slice(0, 16).replace('T', ' ');
}

/** Returns the XML of a cell, texts inline, never as formulas; an empty text for an empty cell. */
export function writeAnnotatedCell(prefix: string, place: string, cell: Cell, form: CellForm): string {
  const value = cell !== null && typeof cell === 'object' ? cell.value : cell;
  const kind = cell !== null && typeof cell === 'object' ? cell.form : undefined;
  if (value === null || value === '') return '';
  const isDate = typeof value === 'number' && (kind === 'day' || kind === 'instant');
  if (typeof value === 'number' && !(isDate && !form.styles)) {
    const style = isDate ? ` s="${form.styles?.[kind]}"` : '';
    const number = isDate && form.date1904 ? value - days1904 : value;
    return `<${prefix}c r="${place}"${style}><${prefix}v>${number}</${prefix}v></${prefix}c>`;
  }
  const text = escapeText(toCellText(textOfCell(cell)));
  const style = form.styles && readsAsNumber(value) ? ` s="${form.styles.text}"` : '';
  return `<${prefix}c r="${place}"${style} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${text}</${prefix}t></${prefix}is></${prefix}c>`;
}
