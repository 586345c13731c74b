import { columnOf, maxColumns } from '../../sheet/xlsx/raw-cell.ts';
import { findWorkbookParts } from '../../sheet/xlsx/workbook-part.ts';
import type { Package } from '../../sheet/xlsx/zip-parts.ts';
import { writeZip, type ZipEntry } from '../write-zip.ts';
import { addStyles } from './add-styles.ts';
import { type AddedRow, annotateSheet } from './annotate-sheet.ts';
import { SheetPosition } from './sheet-position.ts';
import { attributeOf, readTokens, TagParser } from './xml-tokens.ts';

/** A sheet without room for the new columns. */
export class NoFreeColumnError extends Error {}

/** Larger styles stay as they are, as damaged ones do, and days are written as text. */
const maxStylesBytes = 16 * 1024 * 1024;

/**
 * Writes a copy of an .xlsx file with new columns right of the last used one of a sheet. Besides the sheet, only its
 * styles grow; every other entry is copied as it is stored.
 * @param sheet the path of the sheet's part
 * @param widths the width of each new column in characters
 * @param rows the cells of the new columns by row, in order
 * @throws NoFreeColumnError before the first bytes
 */
export async function* annotateWorkbook(
  parts: Package,
  sheet: string,
  widths: number[],
  rows: AsyncIterable<AddedRow[]>,
): AsyncGenerator<Uint8Array> {
  const { styles: path, date1904 } = await findWorkbookParts(parts);
  const first = (await findLastColumn(parts.read(sheet).pieces)) + 1;
  if (first + widths.length - 1 > maxColumns)
    throw new NoFreeColumnError(`columns are used up to ${first - 1}`);
  const canGrow = path !== undefined && parts.has(path) && parts.sizeOf(path) <= maxStylesBytes;
  // They may be damaged, because imports do not read them.
  const styles = canGrow ? await addStyles(parts.read(path).pieces).catch(() => undefined) : undefined;
  async function* listEntries(): AsyncGenerator<ZipEntry> {
    for (const entry of parts.list()) {
      const name = entry.name.toString();
      if (entry.path === sheet.toLowerCase()) {
        const form = { styles: styles?.added, date1904 };
        const { pieces } = parts.read(sheet);
        yield { name, text: annotateSheet(pieces, { first, widths }, rows, form) };
      } else if (styles && entry.path === path?.toLowerCase()) {
        yield { name, text: [styles.text] };
      } else {
        yield entry;
      }
    }
  }
  yield* writeZip(listEntries());
}

const content = new Set(['v', 'f', 'is']);
const ranges = new Set(['mergeCell', 'autoFilter']);

/**
 * Finds the last used column of a worksheet part, from 1: the last with a value or formula, or within merged cells or a
 * filter. Empty cells that only have a style do not count.
 */
export async function findLastColumn(pieces: AsyncIterable<Buffer>): Promise<number> {
  const at = new SheetPosition();
  const tags = new TagParser();
  let last = 0;
  for await (const tokens of readTokens(pieces)) {
    for (const token of tokens) {
      const tag = tags.parse(token);
      if (!tag || tag.kind === 'close') {
        if (tag) at.follow(token, tag);
        continue;
      }
      at.follow(token, tag);
      if (at.inRow && content.has(tag.name)) last = Math.max(last, at.column);
      if (!ranges.has(tag.name)) continue;
      const end = attributeOf(token, 'ref')?.replaceAll('$', '').split(':').at(-1);
      last = Math.max(last, columnOf(end ?? ''));
    }
  }
  return last;
}
