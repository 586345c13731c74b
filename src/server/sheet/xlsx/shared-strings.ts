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
  let isNeeded = false;
  await readXml(part, {
    open(name) {
      if (name !== 'si') return run.open(name);
      isNeeded = !needed || needed[count] === 1;
      run.start();
    },
    close(name) {
      if (name !== 'si') return run.close(name);
      strings.add(run.finish());
      run.start();
      count++;
    },
    text(bytes, start, end, literal) {
      if (isNeeded) run.add(bytes, start, end, literal);
    },
  });
  return strings;
}
