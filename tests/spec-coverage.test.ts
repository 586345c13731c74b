// Checks tests/spec-coverage.json, which names the tests of every line of the specification, and its summary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFileFaults, formatMarkdownTable, projectFile, readProjectFile } from './support/cited-files.ts';

/** A line of the specification. `tests` maps files to the titles of their tests. */
type SpecLine = { section: string; part?: string; text: string; tests: Record<string, string[]> };

const lines: SpecLine[] = JSON.parse(readProjectFile('tests/spec-coverage.json'));
const sections = [...new Set(lines.map(({ section }) => section))];

/** Describes each fault of a line's tests in one line. */
function findFaults({ text, tests }: SpecLine): string[] {
  const cited = Object.entries(tests);
  if (text === '' || cited.length === 0) return [`no test: ${text}`];
  return cited.flatMap(([path, titles]) => {
    const faults = findFileFaults(path, titles);
    if (faults.length === 0 && titles.length === 0) faults.push(`no title in ${path}`);
    return faults.map((fault) => `${text}: ${fault}`);
  });
}

function formatSummary(): string {
  const rows = sections.map((section) => {
    const ofSection = lines.filter((line) => line.section === section);
    const cited = ofSection.flatMap(({ tests }) =>
      Object.entries(tests).flatMap(([path, titles]) => titles.map((title) => `${path} ${title}`)),
    );
    return [section, ofSection.length, new Set(cited).size];
  });
  return `# The tests of the specification

[tests/spec-coverage.json](../tests/spec-coverage.json) lists every line of the specification: each route, text, call, field, rule,
delay and error of sections 2 to 9, and the decisions that complete it. Each line names its tests by file and title.
\`tests/spec-coverage.test.ts\` fails when a line has no test, or when a test it names no longer exists.

${formatMarkdownTable(['Section', 'Lines', 'Tests'], rows)}

The same test writes this page: \`npm run test:file -- --test-update-snapshots tests/spec-coverage.test.ts\`.
`;
}

test('every line of the specification names tests that exist', () => {
  assert.deepEqual(lines.flatMap(findFaults), []);
});

test('the lines cover every section of the specification', () => {
  const numbers = sections.map((section) => section.slice(0, section.indexOf('.')));
  assert.deepEqual(numbers.slice(0, 8), ['2', '3', '4', '5', '6', '7', '8', '9']);
  assert.ok(lines.length > 350, `${lines.length} lines`);
});

test('docs/spec-coverage.md is the summary of the lines', ({ assert }) => {
  const asText = { serializers: [(value: string) => value] };
  assert.fileSnapshot(formatSummary(), projectFile('docs/spec-coverage.md'), asText);
});

test('a line without a test, or with a test that does not exist, is a fault', () => {
  const own = 'tests/spec-coverage.test.ts';
  const cases: [Record<string, string[]>, string[]][] = [
    [{}, ['no test: Something']],
    [{ [own]: [] }, [`Something: no title in ${own}`]],
    [{ [own]: ['no such test'] }, [`Something: ${own} has no “no such test”`]],
    [{ 'tests/gone.test.ts': ['a'] }, ['Something: no file tests/gone.test.ts']],
    [{ [own]: ['every line of the specification names tests that exist'] }, []],
  ];
  for (const [tests, faults] of cases) {
    assert.deepEqual(findFaults({ section: '2. Screens', text: 'Something', tests }), faults);
  }
});
