import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Reads a file of the project by its path from the root. */
export const readProjectFile = (path: string) => readFileSync(`${root}${path}`, 'utf8');

/** A file that a page below docs/ names by a link, and the titles of its tests that stand behind the link. */
export type Citation = { path: string; link: string; titles: string[] };

/** The files that a piece of a page names, as `[path](../path)` with titles in backticks behind it. */
export function readCitations(markdown: string): Citation[] {
  const links = markdown.matchAll(/\[([^\]]+)\]\((\.\.\/[^)]+)\)((?:\s*`[^`]+`)*)/g);
  return Array.from(links, ([, path = '', link = '', titles = '']) => ({
    path,
    link,
    titles: Array.from(titles.matchAll(/`([^`]+)`/g), (match) => match[1] ?? ''),
  }));
}

/** What is wrong with a citation, a line each; the link may lead to a heading of the file. */
export function findCitationFaults({ path, link, titles }: Citation): string[] {
  const [file, heading] = link.split('#');
  if (file !== `../${path}`) return [`${path} leads to ${link}`];
  if (!existsSync(`${root}${path}`)) return [`no file ${path}`];
  if (heading !== undefined && !headingsOf(path).includes(heading)) return [`${path} has no #${heading}`];
  return titles.filter((title) => !titlesOf(path).has(title)).map((title) => `${path} has no “${title}”`);
}

const known = new Map<string, Set<string>>();

/** The titles of a file's tests, as they are spelled in it. */
function titlesOf(path: string): Set<string> {
  const found = known.get(path) ?? readTitles(path);
  known.set(path, found);
  return found;
}

function readTitles(path: string): Set<string> {
  const calls = readProjectFile(path).matchAll(/\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs);
  return new Set(Array.from(calls, ([, , title = '']) => title.replaceAll("\\'", "'")));
}

/** The headings of a page, as links lead to them. */
function headingsOf(path: string): string[] {
  const headings = readProjectFile(path).matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
