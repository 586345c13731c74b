import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { SheetCell } from '#shared/identifier.ts';
import { readSheet } from './read-sheet.ts';
import { SheetError } from './sheet-error.ts';

/** A workbook of tests/cases and the expected result. tests/cases/README.md explains the fields. */
type Case = {
  file: string;
  what: string;
  expect: 'values' | 'error';
  values?: string[];
  rows?: number[];
  count?: number;
  lastValue?: string;
  errors?: string[];
  orError?: boolean;
  orValues?: boolean;
};

const folder = new URL('../../../tests/cases/sheets/', import.meta.url);
const cases = JSON.parse(readFileSync(new URL('MANIFEST.json', folder), 'utf8')) as Case[];

async function readColumnA(file: string) {
  const found: { row: number; cell: SheetCell }[] = [];
  const path = new URL(file, folder).pathname;
  const failure = await readSheet(path, { columns: 1, maxRows: 1_000_000 }, (rows) => {
    for (const { row, cells } of rows) if (cells[0]) found.push({ row, cell: cells[0] });
  }).catch((error: unknown) => error);
  return { found, failure };
}

function checkValues(expected: Case, found: { row: number; cell: SheetCell }[]): void {
  const texts = found.map(({ cell }) => cell.text);
  if (expected.values) assert.deepEqual(texts, expected.values);
  if (expected.rows)
    assert.deepEqual(
      found.map(({ row }) => row),
      expected.rows,
    );
  if (expected.count !== undefined) assert.equal(texts.length, expected.count);
  if (expected.lastValue !== undefined) assert.equal(texts.at(-1), expected.lastValue);
}

describe('every public workbook reads as its manifest says', () => {
  test('the manifest names every workbook', () => {
    const files = readdirSync(folder).filter((file) => file !== 'MANIFEST.json');
    assert.deepEqual(cases.map(({ file }) => file).sort(), files.sort());
    assert.equal(cases.length, 75);
  });

  for (const expected of cases) {
    test(`${expected.file}: ${expected.what}`, async () => {
      const { found, failure } = await readColumnA(expected.file);
      if (failure === undefined) {
        assert.ok(
          expected.expect === 'values' || expected.orValues,
          `${found.length} values instead of an error`,
        );
        checkValues(expected, found);
        return;
      }
      assert.ok(failure instanceof SheetError, String(failure));
      assert.ok(expected.expect === 'error' || expected.orError, String(failure));
      const faults: string[] = expected.errors ?? ['corrupt', 'bomb', 'unsupported'];
      assert.ok(faults.includes(failure.fault), `${failure.fault}: ${failure.message}`);
    });
  }
});
