// docs/asvs.md answers every requirement of ASVS 5.0, levels 1 and 2, by what stands in the project: here it is held to
// that, and so are the pages beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCitationFaults, readCitations, readProjectFile } from './support/cited-files.ts';

const page = readProjectFile('docs/asvs.md');
/** Every number of levels 1 and 2, but for the two chapters of which the page says that nothing applies. */
const wanted = readProjectFile('tests/asvs-numbers.txt').split(/\s+/).filter(Boolean);

/** The numbers of a cell in full: `1.2.6–1.2.8, 1.3.1` are four. */
function readNumbers(cell: string): string[] {
  return cell.split(', ').flatMap((part) => {
    const [first = '', last = first] = part.split('–');
    const section = first.replace(/\d+$/, '');
    const [from, to] = [first, last].map((number) => Number(number.replace(/^.*\./, '')));
    return Array.from(
      { length: Number(to) - Number(from) + 1 },
      (_, step) => `${section}${Number(from) + step}`,
    );
  });
}

function readRows(markdown: string) {
  return markdown
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [, numbers = '', what = '', state = '', by = ''] = line.split('|').map((cell) => cell.trim());
      return { numbers: readNumbers(numbers), what, state, by };
    });
}

/** What is wrong with the rows of a page, a line each. */
function findFaults(markdown: string): string[] {
  return readRows(markdown).flatMap(({ numbers, what, state, by }) => {
    const fault = (words: string) => [`${numbers[0]}: ${words}`];
    if (what === '') return fault('says nothing');
    if (!['met', 'not met', 'not applicable'].includes(state)) return fault(`no state “${state}”`);
    if (state === 'met' && readCitations(by).length === 0) return fault('names no file that meets it');
    if (state !== 'met' && by === '') return fault('gives no reason');
    return [];
  });
}

test('every requirement of levels 1 and 2 stands on the page once, with what meets it or why nothing does', () => {
  const numbers = readRows(page).flatMap((row) => row.numbers);
  assert.deepEqual(
    numbers.filter((number, index) => numbers.indexOf(number) < index),
    [],
  );
  const inOrder = (list: string[]) => list.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  assert.deepEqual(inOrder(numbers), inOrder(wanted));
  assert.ok(wanted.length > 200, `${wanted.length} requirements`);
  assert.deepEqual(findFaults(page), []);
});

for (const name of ['docs/asvs.md', 'docs/threat-model.md', 'docs/security.md']) {
  test(`every file, heading and test that ${name} names is there`, () => {
    const cited = readCitations(readProjectFile(name));
    assert.ok(cited.length > 5, `${cited.length} files`);
    assert.deepEqual(cited.flatMap(findCitationFaults), []);
  });
}

test('a row without a state, a file or a reason, and a citation of what is gone, are found', () => {
  const own = 'tests/asvs.test.ts';
  const rows = [
    ['| 1.1.1 | a | perhaps | b |', ['1.1.1: no state “perhaps”']],
    ['| 1.1.1–1.1.3 | a | met | b |', ['1.1.1: names no file that meets it']],
    ['| 1.1.1 | a | not met |  |', ['1.1.1: gives no reason']],
    [`| 1.1.1 | a | met | [${own}](../${own}) |`, []],
  ] as const;
  for (const [row, faults] of rows) assert.deepEqual(findFaults(row), faults);
  assert.deepEqual(readNumbers('1.2.9–1.2.11, 1.3.1'), ['1.2.9', '1.2.10', '1.2.11', '1.3.1']);
  const citations = [
    ['[docs/gone.md](../docs/gone.md)', ['no file docs/gone.md']],
    ['[docs/rules.md](../docs/rules.md#gone)', ['docs/rules.md has no #gone']],
    [`[${own}](../${own}) \`no such test\``, [`${own} has no “no such test”`]],
    ['[docs/rules.md](../docs/rules.md#access)', []],
  ] as const;
  for (const [text, faults] of citations)
    assert.deepEqual(readCitations(text).flatMap(findCitationFaults), faults);
});
