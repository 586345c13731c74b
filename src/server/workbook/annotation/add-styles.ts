import { fallback } from '../../sheet/xlsx/day-styles.ts';
import { readTokens, TagParser, withAttribute } from './xml-tokens.ts';

export type AddedStyles = { day: number; instant: number; text: number };

/** Excel's built-in formats of days and instants, which it shows in the reader's language, and of texts. */
const formats = [14, 22, 49];

/**
 * Adds the styles of days, instants and texts to a styles part.
 * @returns undefined for a part without cell styles
 */
export async function addStyles(
  pieces: AsyncIterable<Buffer>,
): Promise<{ text: string; added: AddedStyles } | undefined> {
  const xml: string[] = [];
  let opened: number | undefined;
  let added: AddedStyles | undefined;
  let count = 0;
  let inside = false;
  let inFallback = false;
  const tags = new TagParser();
  for await (const tokens of readTokens(pieces)) {
    for (const token of tokens) {
      const tag = tags.parse(token);
      if (tag?.name === fallback) inFallback = tag.kind === 'open';
      if (inside && !inFallback && tag?.name === 'xf' && tag.kind !== 'close') count += 1;
      if (tag?.name === 'cellXfs' && tag.kind === 'open') {
        inside = true;
        opened = xml.length;
      }
      if (tag?.name === 'cellXfs' && tag.kind === 'close' && opened !== undefined && count > 0) {
        inside = false;
        added = { day: count, instant: count + 1, text: count + 2 };
        xml[opened] = withAttribute(xml[opened] ?? '', 'count', String(count + formats.length));
        for (const format of formats) {
          xml.push(
            `<${tag.prefix}xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
          );
        }
      }
      xml.push(token.startsWith('<?xml') ? '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' : token);
    }
  }
  return added && { text: xml.join(''), added };
}
