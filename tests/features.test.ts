// Checks docs/features.md: each feature of ours links to a test that exists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFileFaults, readProjectFile } from './support/cited-files.ts';

const page = readProjectFile('docs/features.md');

/** The defined links, by name: a file and the title of one of its tests. */
const definitions = new Map(
  Array.from(page.matchAll(/^\[(\w+)\]: \.\.\/(\S+) "(.+)"$/gm), ([, name = '', path = '', title = '']) => [
    name,
    { path, title },
  ]),
);

/** The features of the table and the text of our cell. Lines without any cell are headings. */
const features = Array.from(
  page.matchAll(/^\| (\S.*?) +\| (\S.*?) +\|/gm),
  ([, feature = '', ours = '']) => ({
    feature,
    ours,
  }),
).filter(({ feature }) => feature !== 'Feature' && !feature.startsWith('-'));

test('each feature of ours in docs/features.md links to a test that exists', () => {
  assert.ok(features.length > 20);
  const used = features.flatMap(({ feature, ours }) => {
    const name = /^\[.+\]\[(\w+)\]$/.exec(ours)?.[1];
    assert.ok(name !== undefined || ours === 'no', `${feature} has no test`);
    return name ?? [];
  });
  assert.deepEqual(used, [...definitions.keys()]);
  assert.deepEqual(
    [...definitions.values()].flatMap(({ path, title }) => findFileFaults(path, [title])),
    [],
  );
});

test('each row of docs/features.md says something about every product', () => {
  const [head = '', , ...rows] = page.split('\n').filter((line) => line.startsWith('|'));
  const cellsOf = (line: string) => line.split('|').slice(1, -1);
  for (const row of rows.filter((line) => !line.startsWith('| **'))) {
    const cells = cellsOf(row);
    assert.equal(cells.length, cellsOf(head).length, row);
    assert.ok(
      cells.every((cell) => cell.trim() !== ''),
      row,
    );
  }
});
