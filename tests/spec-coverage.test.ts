// docs/spec-coverage.md names a test for every line of the specification: here it is held to that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Citation, findCitationFaults, readCitations, readProjectFile } from './support/cited-files.ts';

const page = readProjectFile('docs/spec-coverage.md');

type Row = { what: string; tests: Citation[] };

function readRows(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (---|Specification|Decision) /.test(line))
    .map((line) => {
      const [, what = '', shown = ''] = line.split('|').map((cell) => cell.trim());
      return { what, tests: readCitations(shown) };
    });
}

/** What is wrong with the rows of a page, a line each. */
function findFaults(markdown: string): string[] {
  return readRows(markdown).flatMap(({ what, tests }) => {
    if (what === '' || tests.length === 0) return [`no test: ${what}`];
    return tests.flatMap((cited) => {
      const faults = findCitationFaults(cited);
      if (faults.length === 0 && cited.titles.length === 0) faults.push(`no title in ${cited.path}`);
      return faults.map((fault) => `${what}: ${fault}`);
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
