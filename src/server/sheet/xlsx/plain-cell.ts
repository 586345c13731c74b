import { cutCellText } from '../cell-text.ts';
import {
  beginsName,
  equals,
  findTagEnd,
  isBlank,
  lessThan,
  quote,
  skipBlanks,
  slash,
  standsAt,
  toBytes,
} from './plain-tags.ts';
import { type RawCell, toRawCell } from './raw-cell.ts';
import { decodeEscapes, extendText } from './xml-text.ts';

const cellEnd = toBytes('</c>');
const valueStart = toBytes('<v>');
const valueEnd = toBytes('</v></c>');
const inlineStart = toBytes('<is><t');
const inlineEnd = toBytes('</t></is></c>');
const types = ['str', 's', 'inlineStr', 'n', 'b', 'e', 'd'].map((name) => ({
  name,
  value: toBytes(`${name}"`),
}));
const ampersand = 0x26;
const greatestAscii = 0x7f;
/** The code of "t", the attribute of the type. */
const typeName = 0x74;

/** Reads cells that contain a single value and nothing else. */
export class PlainCell {
  /** The offset after the last cell. */
  end = 0;
  /** The number of tags opened in it. */
  opened = 0;

  /**
   * @param from an offset in its tag, after an attribute
   * @returns its value, undefined for an empty cell
   */
  read(bytes: Buffer, from: number): RawCell | undefined {
    this.opened = 1;
    this.end = -1;
    const head = findTagEnd(bytes, from);
    const type = head < 0 ? undefined : readType(bytes, from, head);
    if (type === undefined) return undefined;
    const inside = head + 1;
    if (bytes[head - 1] === slash) {
      this.end = inside;
    } else if (standsAt(bytes, inside, cellEnd)) {
      this.end = inside + cellEnd.length;
    } else if (type !== 'inlineStr') {
      if (standsAt(bytes, inside, valueStart)) {
        this.opened = 2;
        return toRawCell(type, this.#readText(bytes, inside + valueStart.length, valueEnd));
      }
    } else if (standsAt(bytes, inside, inlineStart)) {
      const name = inside + inlineStart.length;
      const open = findTagEnd(bytes, name);
      if (open < 0 || bytes[open - 1] === slash || !(open === name || isBlank(bytes[name]))) return undefined;
      this.opened = 3;
      return toRawCell(type, decodeEscapes(cutCellText(this.#readText(bytes, open + 1, inlineEnd))));
    }
    return undefined;
  }

  /** Reads the text at an offset if exactly these tags follow it. */
  #readText(bytes: Buffer, from: number, closing: Uint8Array): string {
    let end = from;
    let isPlain = true;
    for (; end < bytes.length && bytes[end] !== lessThan; end++) {
      const byte = bytes[end] ?? 0;
      if (byte === ampersand || byte > greatestAscii) isPlain = false;
    }
    if (!standsAt(bytes, end, closing)) return '';
    this.end = end + closing.length;
    return isPlain
      ? bytes.toString('latin1', from, end)
      : extendText('', bytes.toString('utf8', from, end), false);
  }
}

/** Reads the type from a cell's attributes between two offsets; undefined for attributes in another form. */
function readType(bytes: Uint8Array, from: number, end: number): string | undefined {
  let type: string | undefined;
  const last = bytes[end - 1] === slash ? end - 1 : end;
  for (let at = from; at < last; ) {
    const name = skipBlanks(bytes, at);
    if (name === last) break;
    if (name === at || !beginsName(bytes[name])) return undefined;
    at = name + 1;
    while (at < last && bytes[at] !== equals && !isBlank(bytes[at])) at++;
    if (bytes[at] !== equals || bytes[at + 1] !== quote) return undefined;
    const value = at + 2;
    if (bytes[name] === typeName && at === name + 1) {
      if (type !== undefined) return undefined;
      type = types.find((known) => standsAt(bytes, value, known.value))?.name;
      if (type === undefined) return undefined;
    }
    at = value;
    while (at < last && bytes[at] !== quote) at++;
    at++;
  }
  return type ?? 'n';
}
