import { builtInDayFormats, showsDay } from '../days/day-format.ts';
import { readXml } from './xml-reader.ts';
import type { Part } from './zip-parts.ts';

/** The element with the alternative for programs that do not understand the others, which this product does. */
export const fallback = '{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback';

/** Lists the cell styles of a styles part that show a day, as cells name them (`s`). */
export async function readDayStyles(part: Part): Promise<Set<string>> {
  const isDay = new Map([...builtInDayFormats].map((id) => [String(id), true]));
  const styles = new Set<string>();
  let count = 0;
  let list = '';
  let inFallback = false;
  await readXml(part, {
    open(name, tag) {
      if (name === fallback) inFallback = true;
      if (name === 'numFmts' || name === 'cellXfs') list = name;
      if (list === 'numFmts' && name === 'numFmt')
        isDay.set(tag.attribute('numFmtId') ?? '', showsDay(tag.attribute('formatCode') ?? ''));
      if (list === 'cellXfs' && name === 'xf' && !inFallback) {
        if (isDay.get(tag.attribute('numFmtId') ?? '')) styles.add(String(count));
        count += 1;
      }
    },
    close(name) {
      if (name === fallback) inFallback = false;
      if (name === list) list = '';
    },
  });
  return styles;
}
