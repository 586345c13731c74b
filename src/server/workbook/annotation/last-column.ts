import { columnOf } from '../../sheet/xlsx/raw-cell.ts';
import { SheetPosition } from './sheet-position.ts';
import { attributeOf, readTokens, TagParser } from './xml-tokens.ts';

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
