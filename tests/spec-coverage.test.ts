// docs/spec-coverage.md names a test for every line of the specification: here it is held to that.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const page = read('docs/spec-coverage.md');

type Row = { what: string; tests: { path: string; link: string; titles: string[] }[] };

function readRows(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (---|Specification|Decision) /.test(line))
    .map((line) => {
      const [, what = '', shown = ''] = line.split('|').map((cell) => cell.trim());
      const links = shown.matchAll(/\[([^\]]+)\]\(([^)]+)\)((?:\s*`[^`]+`)*)/g);
      const tests = Array.from(links, ([, path = '', link = '', titles = '']) => ({
        path,
        link,
        titles: Array.from(titles.matchAll(/`([^`]+)`/g), (match) => match[1] ?? ''),
      }));
      return { what, tests };
    });
}

const titles = new Map<string, Set<string>>();

/** The titles of a file's tests, as they are spelled in it. */
function titlesOf(path: string): Set<string> {
  const known = titles.get(path);
  if (known) return known;
  const calls = read(path).matchAll(/\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs);
  const found = new Set(Array.from(calls, ([, , title = '']) => title.replaceAll("\\'", "'")));
  titles.set(path, found);
  return found;
}

/** What is wrong with the rows of a page, a line each. */
function findFaults(markdown: string): string[] {
  return readRows(markdown).flatMap(({ what, tests }) => {
    if (what === '' || tests.length === 0) return [`no test: ${what}`];
    return tests.flatMap(({ path, link, titles: named }) => {
      if (link !== `../${path}`) return [`${what}: ${path} leads to ${link}`];
      let known: Set<string>;
      try {
        known = titlesOf(path);
      } catch {
        return [`${what}: no file ${path}`];
      }
      if (named.length === 0) return [`${what}: no title in ${path}`];
      return named.filter((title) => !known.has(title)).map((title) => `${what}: ${path} has no “${title}”`);
    });
  });
}

test('every row of the page names tests that are there', () => {
  assert.deepEqual(findFaults(page), []);
});

test('the page goes through the whole specification', () => {
  const sections = Array.from(page.matchAll(/^## (\d)\./gm), (match) => match[1]);
  assert.deepEqual(sections, ['2', '3', '4', '5', '6', '7', '8', '9']);
  const whats = readRows(page).map(({ what }) => what);
  assert.ok(whats.length > 350, `${whats.length} rows`);
});

test('a row without a test, or with one that is gone, is found', () => {
  const own = 'tests/spec-coverage.test.ts';
  const row = (shown: string) => `| Something | ${shown} |`;
  const cases = [
    ['', 'no test: Something'],
    ['`a title alone`', 'no test: Something'],
    [`[${own}](../${own})`, `Something: no title in ${own}`],
    [`[${own}](../${own}) \`no such test\``, `Something: ${own} has no “no such test”`],
    ['[tests/gone.test.ts](../tests/gone.test.ts) `a`', 'Something: no file tests/gone.test.ts'],
    [`[${own}](../docs/x.md) \`a\``, `Something: ${own} leads to ../docs/x.md`],
  ] as const;
  for (const [shown, fault] of cases) assert.deepEqual(findFaults(row(shown)), [fault]);
  assert.deepEqual(
    findFaults(row(`[${own}](../${own}) \`every row of the page names tests that are there\``)),
    [],
  );
});
