import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { CellKinds } from './cell-kinds.ts';

const cell = (text: string) => ({ text, numeric: false });
const imeis = makeImeis(20);
const long = imeis.join(',');

test('an IMEI of 15 digits in a cell tells it from other identifiers', () => {
  const kinds = new CellKinds();
  const [imei = ''] = imeis;
  const found = [' ', 'Budi', 'A1000000', imei.slice(0, 14), `A1000000, ${imei}`, long].map((text) =>
    kinds.find(cell(text)),
  );
  assert.deepEqual(found, ['empty', 'invalid', 'serials', 'serials', 'imeis', 'imeis']);
});

test('past the limit of characters only numbers are parsed', () => {
  const kinds = new CellKinds();
  for (let n = 0; n < 3_400; n++) kinds.find(cell(`${n} ${'x'.repeat(30_000)}`));
  assert.deepEqual([kinds.find(cell(long)), kinds.find(cell(imeis[0] ?? ''))], ['invalid', 'imeis']);
});
