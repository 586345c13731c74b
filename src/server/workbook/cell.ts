import { toCellText } from '../sheet/cell-text.ts';

/** Number formats; plain numbers and most texts have none. */
export const forms = ['plain', 'day', 'instant', 'money', 'text'] as const;
/** The colours of cells, by meaning. */
export const tones = ['none', 'good', 'soon', 'bad', 'quiet'] as const;
export type Form = (typeof forms)[number];
export type Tone = (typeof tones)[number];

/** The content of a cell; null leaves it empty. */
export type Cell = string | number | null | { value: string | number; form?: Form; tone?: Tone | undefined };

/** Returns the style index of a form and a tone; 0 is neither, the head comes last. */
export function styleOf(form: Form, tone: Tone): number {
  return forms.indexOf(form) * tones.length + tones.indexOf(tone);
}

export const headStyle = forms.length * tones.length;

// Fast path: most texts need no escaping.
const simple = /^[0-9A-Za-z][0-9A-Za-z ,.:()+/-]*$/;
const spaced = /^\s|\s$|[\n\t]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters to remove.
const special = /[&<>\u0000-\u0008\u000b-\u001f]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text for XML; characters that XML lacks as Excel escapes them. */
export function escapeText(text: string): string {
  return text.replaceAll(
    special,
    (character) =>
      entities[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

const numeric = /^[+-]?[\d.]+(e[+-]?\d+)?$/i;

/** Returns whether Excel makes a number of a text, such as an IMEI, when somebody edits its cell without a text format. */
export function readsAsNumber(value: string | number): boolean {
  return typeof value === 'string' && numeric.test(value);
}

/** Returns the XML of a cell; an empty text for an empty cell. */
export function writeCell(place: string, cell: Cell): string {
  if (cell === null) return '';
  const { value, form, tone = 'none' } = typeof cell === 'object' ? cell : { value: cell };
  const style = styleOf(form ?? (readsAsNumber(value) ? 'text' : 'plain'), tone);
  return writeValue(place, value, style === 0 ? '' : ` s="${style}"`);
}

export function writeValue(place: string, value: string | number, style: string): string {
  if (typeof value === 'number') return `<c r="${place}"${style}><v>${value}</v></c>`;
  const text = simple.test(value) && value.length < 1000 ? value : escapeText(toCellText(value));
  const keep = spaced.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${place}"${style} t="inlineStr"><is><t${keep}>${text}</t></is></c>`;
}
