import { posix } from 'node:path';
import { SheetError } from '../sheet-error.ts';
import { readXml } from './xml-reader.ts';
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

type ListedSheet = {
  name: string;
  /** The id of its relationship; empty without one. */
  relation: string;
  hidden: boolean;
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
    // Some programs leave a deleted sheet in the list, without its part.
    .filter((sheet) => !sheet.hidden && sheet.relation !== '')
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
  const sheets: ListedSheet[] = [];
  let date1904 = false;
  let root: string | undefined;
  await readXml(readMetadata(parts, path), {
    open(name, tag) {
      root ??= name;
      if (name === 'sheet') sheets.push(describeSheet(tag.attributes()));
      if (name === 'workbookPr') date1904 = ['1', 'true', 'on'].includes(tag.attribute('date1904') ?? '');
    },
    close() {},
  });
  if (root !== 'workbook') throw new SheetError('unsupported', `a document of kind ${root}`);
  return { sheets, date1904 };
}

function describeSheet(attributes: Map<string, string>): ListedSheet {
  const relation = [...attributes].find(([name]) => name.endsWith('/relationships}id'));
  const state = attributes.get('state') ?? '';
  return {
    name: attributes.get('name') ?? '',
    relation: relation?.[1] ?? '',
    hidden: ['hidden', 'veryHidden'].includes(state),
  };
}

/** Reads the relationships of a part (of the package for ''), by id; types by their last word, targets resolved. */
async function readRelations(parts: Package, source: string): Promise<Map<string, Relation>> {
  const folder = posix.dirname(source);
  const path = posix.join(folder, '_rels', `${posix.basename(source)}.rels`);
  const relations = new Map<string, Relation>();
  await readXml(readMetadata(parts, path), {
    open(name, tag) {
      if (name !== 'Relationship' || tag.attribute('TargetMode') === 'External') return;
      const type = tag.attribute('Type') ?? '';
      const rawTarget = tag.attribute('Target') ?? '';
      const target = posix.resolve('/', folder, rawTarget.replaceAll('\\', '/')).slice(1);
      relations.set(tag.attribute('Id') ?? '', { type: type.slice(type.lastIndexOf('/') + 1), target });
    },
    close() {},
  });
  return relations;
}
