import { SheetError } from '../sheet-error.ts';
import { readXml } from './xml-reader.ts';
import type { Package } from './zip-parts.ts';

const contentTypes = '[Content_Types].xml';
const maxBytes = 4 * 1024 * 1024;

/** Names of parts, and content types, of programs in a workbook: VBA, macro sheets of Excel 4, and workbooks that may have them. */
const macros = /vbaproject|macrosheet|macroenabled/i;

/**
 * Returns whether a package contains macros, by the names and the declared content types of its parts. A part counts even
 * where no relationship leads to it. The type of an extension counts only if a part has it: SheetJS declares one for `bin`.
 * @throws SheetError for content types that cannot be read
 */
export async function findMacros(parts: Package): Promise<boolean> {
  const paths = parts.list().map(({ path }) => path);
  if (paths.some((path) => macros.test(path))) return true;
  if (!parts.has(contentTypes)) return false;
  if (parts.sizeOf(contentTypes) > maxBytes) throw new SheetError('bomb', `${contentTypes} is too large`);
  let found = false;
  await readXml(parts.read(contentTypes), {
    open(_name, tag) {
      if (!macros.test(tag.attribute('ContentType') ?? '')) return;
      const extension = tag.attribute('Extension')?.toLowerCase();
      found ||= extension === undefined || paths.some((path) => path.endsWith(`.${extension}`));
    },
    close() {},
  });
  return found;
}
