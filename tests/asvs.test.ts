// Checks tests/asvs.json, which answers every requirement of ASVS 5.0, levels 1 and 2, and its summary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFileFaults, formatMarkdownTable, projectFile, readProjectFile } from './support/cited-files.ts';

const states = ['met', 'not met', 'not applicable'];

/** One requirement, or several with one answer. `files` may name a heading; `tests` maps files to titles. */
type Answer = {
  chapter: string;
  numbers: string[];
  requirement: string;
  state: string;
  note?: string;
  files?: string[];
  tests?: Record<string, string[]>;
};

const answers: Answer[] = JSON.parse(readProjectFile('tests/asvs.json'));
/** Every number of levels 1 and 2, except those of V17 and of parts of V10, which do not apply. */
const wanted = readProjectFile('tests/asvs-numbers.txt').split(/\s+/).filter(Boolean);

/** Describes each fault of an answer in one line. */
function findFaults({ numbers, requirement, state, note, files = [], tests = {} }: Answer): string[] {
  const fault = (words: string) => [`${numbers[0]}: ${words}`];
  const cited = Object.entries(tests);
  if (requirement === '') return fault('no requirement');
  if (!states.includes(state)) return fault(`no state “${state}”`);
  if (state === 'met' && files.length + cited.length === 0) return fault('names no file that meets it');
  if (state !== 'met' && !note) return fault('gives no reason');
  return [
    ...files.flatMap((file) => findFileFaults(file)),
    ...cited.flatMap(([path, titles]) =>
      titles.length > 0 ? findFileFaults(path, titles) : `no title in ${path}`,
    ),
  ].flatMap(fault);
}

const numbersOf = (list: Answer[]) => list.flatMap(({ numbers }) => numbers);

function formatSummary(): string {
  const chapters = [...new Set(answers.map(({ chapter }) => chapter))];
  const count = (chapter: string, state: string) =>
    numbersOf(answers.filter((answer) => answer.chapter === chapter && answer.state === state)).length;
  const rows = chapters.map((chapter) => [chapter, ...states.map((state) => count(chapter, state))]);
  return `# OWASP ASVS 5.0, level 2

[tests/asvs.json](../tests/asvs.json) answers every requirement of levels 1 and 2 of the
[Application Security Verification Standard](https://owasp.org/www-project-application-security-verification-standard/): with the files or tests that
meet it, or with the reason why it is not met or does not apply.

${formatMarkdownTable(['Chapter', 'Met', 'Not met', 'Not applicable'], rows)}

V10.3, V10.4, V10.6 and V10.7 do not apply: the product is a client of an identity provider, and issues no such tokens. Nor does V17: the product does
not use WebRTC.

The test that checks the answers writes this page: \`npm run test:file -- --test-update-snapshots tests/asvs.test.ts\`.
`;
}

test('every requirement of levels 1 and 2 has one answer, with the files that meet it or a reason', () => {
  const numbers = numbersOf(answers);
  assert.deepEqual(
    numbers.filter((number, index) => numbers.indexOf(number) < index),
    [],
  );
  const inOrder = (list: string[]) => list.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  assert.deepEqual(inOrder(numbers), inOrder(wanted));
  assert.ok(wanted.length > 200, `${wanted.length} requirements`);
  assert.deepEqual(answers.flatMap(findFaults), []);
});

test('docs/asvs.md is the summary of the answers', ({ assert }) => {
  const asText = { serializers: [(value: string) => value] };
  assert.fileSnapshot(formatSummary(), projectFile('docs/asvs.md'), asText);
});

test('an answer without a state, a file or a reason, or with a file that does not exist, is a fault', () => {
  const own = 'tests/asvs.test.ts';
  const answer = { chapter: 'V1', numbers: ['1.1.1', '1.1.2'], requirement: 'a', state: 'met' };
  const cases: [Partial<Answer>, string[]][] = [
    [{ state: 'perhaps' }, ['1.1.1: no state “perhaps”']],
    [{ note: 'b' }, ['1.1.1: names no file that meets it']],
    [{ state: 'not met' }, ['1.1.1: gives no reason']],
    [{ files: [own] }, []],
    [{ files: ['docs/gone.md'] }, ['1.1.1: no file docs/gone.md']],
    [{ files: ['docs/rules.md#gone'] }, ['1.1.1: docs/rules.md has no #gone']],
    [{ tests: { [own]: ['no such test'] } }, [`1.1.1: ${own} has no “no such test”`]],
    [{ tests: { [own]: [] } }, [`1.1.1: no title in ${own}`]],
  ];
  for (const [change, faults] of cases) assert.deepEqual(findFaults({ ...answer, ...change }), faults);
});
