import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CellReadings } from '#server/sheet/cell-readings.ts';
import type { SheetCell } from '#shared/identifier.ts';
import { type RegistryRow, readRegistryRow } from './registry-row.ts';

type Value = string | number | SheetCell | undefined;
const cellOf = (value: Value): SheetCell | undefined =>
  typeof value === 'object' || value === undefined
    ? value
    : { text: String(value), numeric: typeof value === 'number' };
const read = (values: Value[], date1904 = false) =>
  readRegistryRow({ row: 2, cells: values.map(cellOf) }, new CellReadings(), {
    date1904,
    timezone: 'Asia/Jakarta',
  });
const device = 'f17xk1abc01';
const empty: RegistryRow = {
  serials: ['F17XK1ABC01'],
  purchaseDate: null,
  warrantyTitle: null,
  start: null,
  end: null,
};

test('reads all columns of a row', () => {
  assert.deepEqual(read([device, '2025-01-10', ' Gold\u00a0Plan ', '10/01/2025', 46_031]), {
    ...empty,
    purchaseDate: '2025-01-10',
    warrantyTitle: 'Gold Plan',
    start: '2025-01-10',
    end: '2026-01-09',
  });
});

test('reads Excel’s serial dates, from 1900 and from 1904', () => {
  const dayOf = (value: string | number, date1904 = false) => {
    const row = read([device, value], date1904);
    return typeof row === 'string' ? row : row.purchaseDate;
  };
  assert.equal(dayOf(45_292), '2024-01-01');
  assert.equal(dayOf(45_351.999), '2024-02-29');
  assert.equal(dayOf(43_830, true), '2024-01-01');
  assert.equal(dayOf(367), '1901-01-01');
  for (const bad of [0, 1, 366, -5, 20_240_101, 1_704_474_000, 1e12])
    assert.equal(dayOf(bad), 'purchase_date');
});

test('reads written dates, and an empty cell as unknown', () => {
  const dayOf = (value: string | undefined) => {
    const row = read([device, undefined, undefined, value]);
    return typeof row === 'string' ? row : row.start;
  };
  assert.equal(dayOf('5/1/2024'), '2024-01-05');
  assert.equal(dayOf('\u00a02024-01-05\u200b'), '2024-01-05');
  assert.equal(dayOf('2024-01-05T20:00:00Z'), '2024-01-06');
  for (const blank of [undefined, '', ' \u00a0 ']) assert.equal(dayOf(blank), null);
  for (const bad of ['soon', '31/02/2024', '1/13/2024', '45292', '1704474000', '0000-00-00', '1.5.2024'])
    assert.equal(dayOf(bad), 'start_date', bad);
});

test('indexes a device by each of its identifiers, once', () => {
  const serialsOf = (value: string | number) => (read([value]) as RegistryRow).serials;
  assert.deepEqual(serialsOf('353901102345677 / 354817664998779'), ['353901102345677', '354817664998779']);
  assert.deepEqual(serialsOf('F17XK1ABC01,f17xk1abc01'), ['F17XK1ABC01']);
  assert.deepEqual(serialsOf(353_901_102_345_677), ['353901102345677']);
});

test('returns the reason for an unusable row', () => {
  assert.equal(read([undefined, '2024-01-05']), 'device_missing');
  assert.equal(read(['\u200b', '2024-01-05']), 'device_missing');
  assert.equal(read(['353901102345671']), 'device_invalid');
  assert.equal(read([device, 'x']), 'purchase_date');
  assert.equal(read([device, undefined, 'x'.repeat(501)]), 'warranty_title');
  const noResult: SheetCell = { text: '=', numeric: false, noResult: true };
  assert.equal(read([device, undefined, noResult]), 'warranty_title');
  assert.equal(read([device, noResult]), 'purchase_date');
  assert.equal(read([device, undefined, undefined, 'x']), 'start_date');
  assert.equal(read([device, undefined, undefined, undefined, 'x']), 'end_date');
  assert.equal(read([device, undefined, undefined, '2024-01-05', '2024-01-04']), 'end_before_start');
  assert.deepEqual(read([device, undefined, undefined, '2024-01-05', '5/1/2024']), {
    ...empty,
    start: '2024-01-05',
    end: '2024-01-05',
  });
});
