import { posix } from 'node:path';
import { SheetError } from '../sheet-error.ts';
import { readXml } from './xml-reader.ts';
import { decodeText } from './xml-text.ts';
import type { Package, Part } from './zip-parts.ts';

export type WorkbookParts = {
  /** The path of the chosen worksheet. */
  sheet: string;
  /** The names of the visible worksheets. */
  sheets: string[];
  sharedStrings: string | undefined;
  styles: string | undefined;
  /** Whether its serial dates count from 1904. */
  date1904: boolean;
};

type Relation = { type: string; target: string };

const maxMetadataBytes = 4 * 1024 * 1024;

/**
 * Finds the parts by the package's relationships, never by file names.
 * @param name the name of a visible worksheet; by default the first
 * @throws SheetError 'unsupported' for packages without an XML workbook, 'corrupt' for dangling relationships,
 * 'no_sheet' for an unknown name
 */
export async function findWorkbookParts(parts: Package, name?: string): Promise<WorkbookParts> {
  const roots = parts.has('_rels/.rels') ? await readRelations(parts, '') : new Map<string, Relation>();
  const root = [...roots.values()].find((relation) => relation.type === 'officeDocument');
  const workbook = root?.target ?? 'xl/workbook.xml';
  if (!root && !parts.has(workbook)) throw new SheetError('unsupported', 'a zip file without a workbook');
  if (!workbook.toLowerCase().endsWith('.xml'))
    throw new SheetError('unsupported', `a workbook as ${workbook}`);
  const { sheets, date1904 } = await readWorkbook(parts, workbook);
  const relations = await readRelations(parts, workbook);
  const visible = sheets
    .filter((sheet) => !sheet.hidden)
    .map((sheet) => {
      const relation = relations.get(sheet.relation);
      if (!relation) throw new SheetError('corrupt', 'a sheet without its part');
      return { name: sheet.name, ...relation };
    })
    .filter((sheet) => sheet.type === 'worksheet');
  if (visible.length === 0) throw new SheetError('corrupt', 'no visible worksheet');
  const sheet = name === undefined ? visible[0] : visible.find((other) => other.name === name);
  if (!sheet) throw new SheetError('no_sheet', 'no visible worksheet of this name');
  const findTarget = (type: string) =>
    [...relations.values()].find((relation) => relation.type === type)?.target;
  return {
    sheet: sheet.target,
    sheets: visible.map((other) => other.name),
    sharedStrings: findTarget('sharedStrings'),
    styles: findTarget('styles'),
    date1904,
  };
}

function readMetadata(parts: Package, path: string): Part {
  if (parts.sizeOf(path) > maxMetadataBytes) throw new SheetError('bomb', `${path} is too large`);
  return parts.read(path);
}

async function readWorkbook(parts: Package, path: string) {
  const sheets: { name: string; relation: string; hidden: boolean }[] = [];
  let date1904 = false;
  let root: string | undefined;
  await readXml(readMetadata(parts, path), {
    open(name, attributes) {
      root ??= name;
      if (name === 'sheet') {
        const given = attributes();
        const relation = Object.keys(given).find((key) => key.endsWith(':id')) ?? '';
        const hidden = given.state === 'hidden' || given.state === 'veryHidden';
        sheets.push({ name: decodeText(given.name ?? ''), relation: given[relation] ?? '', hidden });
      }
      if (name === 'workbookPr') date1904 = ['1', 'true', 'on'].includes(attributes().date1904 ?? '');
    },
    close() {},
  });
  if (root !== 'workbook') throw new SheetError('unsupported', `a document of kind ${root}`);
  return { sheets, date1904 };
}

/** Reads the relationships of a part (of the package for ''), by id; types by their last word, targets resolved. */
async function readRelations(parts: Package, source: string): Promise<Map<string, Relation>> {
  const folder = posix.dirname(source);
  const path = posix.join(folder, '_rels', `${posix.basename(source)}.rels`);
  const relations = new Map<string, Relation>();
  await readXml(readMetadata(parts, path), {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id = '', Type = '', Target = '', TargetMode } = attributes();
      if (TargetMode === 'External') return;
      const target = posix.resolve('/', folder, decodeText(Target).replaceAll('\\', '/')).slice(1);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
    },
    close() {},
  });
  return relations;
}
