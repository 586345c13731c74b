import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the absolute path of a file of the project, given its path from the root. */
export const projectFile = (path: string) => `${root}${path}`;

/** Reads a file of the project by its path from the root. */
export const readProjectFile = (path: string) => readFileSync(projectFile(path), 'utf8');

/** Describes each fault of a reference to a file (`path` or `path#heading`) and its test titles in one line. */
export function findFileFaults(reference: string, titles: string[] = []): string[] {
  const [path = '', heading] = reference.split('#');
  if (!existsSync(projectFile(path))) return [`no file ${path}`];
  if (heading !== undefined && !headingsOf(path).includes(heading)) return [`${path} has no #${heading}`];
  return titles.filter((title) => !titlesOf(path).has(title)).map((title) => `${path} has no “${title}”`);
}

const known = new Map<string, Set<string>>();

/** Returns the titles of a file's tests, as they are spelled in it. */
function titlesOf(path: string): Set<string> {
  const found = known.get(path) ?? readTitles(path);
  known.set(path, found);
  return found;
}

function readTitles(path: string): Set<string> {
  const calls = readProjectFile(path).matchAll(/\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs);
  return new Set(Array.from(calls, ([, , title = '']) => title.replaceAll("\\'", "'")));
}

/** Returns the anchors of a page's headings. */
function headingsOf(path: string): string[] {
  const headings = readProjectFile(path).matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Formats a Markdown table as the formatter does: the cells of a column are equally wide. */
export function formatMarkdownTable(head: string[], rows: (string | number)[][]): string {
  const texts = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, rule, ...texts.slice(1)].map(line).join('\n');
}
