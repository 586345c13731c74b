import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the absolute path of a file of the project, given its path from the root. */
export const projectFile = (path: string) => `${root}${path}`;

/** Reads a file of the project by its path from the root. */
export const readProjectFile = (path: string) => readFileSync(projectFile(path), 'utf8');

/** A file that a page below docs/ links to, and the test titles that follow the link. */
export type Citation = { path: string; link: string; titles: string[] };

/** Finds citations of the form `[path](../path)`, each followed by titles in backticks. */
export function readCitations(markdown: string): Citation[] {
  const links = markdown.matchAll(/\[([^\]]+)\]\((\.\.\/[^)]+)\)((?:\s*`[^`]+`)*)/g);
  return Array.from(links, ([, path = '', link = '', titles = '']) => ({
    path,
    link,
    titles: Array.from(titles.matchAll(/`([^`]+)`/g), (match) => match[1] ?? ''),
  }));
}

/** Describes each fault of a citation in one line. The link may name a heading of the file. */
export function findCitationFaults({ path, link, titles }: Citation): string[] {
  const [file, heading] = link.split('#');
  if (file !== `../${path}`) return [`${path} leads to ${link}`];
  return findFileFaults(heading === undefined ? path : `${path}#${heading}`, titles);
}

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
