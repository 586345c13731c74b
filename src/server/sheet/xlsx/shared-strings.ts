import { StringStore } from './string-store.ts';
import { TextRun } from './text-run.ts';
import { readXml } from './xml-reader.ts';
import type { Part } from './zip-parts.ts';

/**
 * Reads the table of shared strings.
 * @param needed 1 for each needed index; the others become empty texts. Undefined: all are needed.
 */
export async function readSharedStrings(part: Part, needed: Uint8Array | undefined): Promise<StringStore> {
  const strings = new StringStore();
  const run = new TextRun();
  let count = 0;
  await readXml(part, {
    open(name) {
      if (name === 'si') run.start();
      else run.open(name);
    },
    close(name) {
      if (name !== 'si') return run.close(name);
      strings.add(!needed || needed[count] === 1 ? run.finish() : '');
      count++;
    },
    text: (written, literal) => run.add(written, literal),
  });
  return strings;
}
