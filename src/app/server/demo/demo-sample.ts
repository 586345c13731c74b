import { rename, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Cell } from '#server/workbook/cell.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { computeCheckDigit } from '#shared/identifier.ts';

/** Type allocation codes and their models, as the sandbox source knows them. */
const allocations = [
  ['35901413', 'Apple iPhone 13'],
  ['35656711', 'Apple iPhone 12'],
  ['35320911', 'Apple iPhone 11'],
  ['86412305', 'Xiaomi Redmi Note 12'],
  ['35120456', 'Samsung Galaxy S22'],
] as const;

/**
 * Writes a realistic workbook: a header, mostly IMEIs as text, some as numbers or with dashes, some makers' serial
 * numbers, a few duplicates and a few typing errors. The content is the same on every machine.
 */
export async function writeSample(file: string): Promise<void> {
  const rows: Cell[][] = [];
  for (let i = 0; i < 250; i++) {
    const identifier = identifierAt(i);
    rows.push([identifier, modelOf(String(identifier)), placeAt(i)]);
  }
  const columns = ['IMEI / Serial Number', 'Device', 'Place'].map((header) => ({ header, width: 24 }));
  await writeFile(`${file}.new`, writeWorkbook([{ name: 'Devices', columns, rows: Readable.from([rows]) }]));
  await rename(`${file}.new`, file);
}

function identifierAt(i: number): Cell {
  const imei = imeiAt(i);
  switch (i % 25) {
    case 4:
      return Number(imei);
    case 9:
      return `${imei.slice(0, 2)}-${imei.slice(2, 8)}-${imei.slice(8, 14)}-${imei.slice(14)}`;
    case 12:
      return serialAt(i);
    case 15:
      return `A${imei.slice(1, 14)}`;
    case 18:
      // A duplicate of the device three rows above.
      return imeiAt(i - 3 - (i % 2));
    case 22:
      // A wrong last digit.
      return imei.slice(0, 14) + String((Number(imei[14]) + 1) % 10);
    case 24:
      return i === 24 ? '8962100000000000001' : i === 49 ? 'not readable' : imei;
    default:
      return imei;
  }
}

/** Returns the model of an IMEI; null for other identifiers, which do not tell it. */
function modelOf(identifier: string): string | null {
  const digits = identifier.replaceAll('-', '');
  return allocations.find(([code]) => digits.startsWith(code))?.[1] ?? null;
}

function imeiAt(i: number): string {
  const [code] = allocations[i % allocations.length] ?? allocations[0];
  const first14 = code + String(100_003 + i * 3571).slice(-6);
  return first14 + computeCheckDigit(first14);
}

function serialAt(i: number): string {
  const letters = 'CDFGHJKLMNPQRTVWXY';
  const at = (k: number) => letters[(i * 7 + k * 5) % letters.length];
  return `${at(1)}${at(2)}${(i % 8) + 1}${at(3)}${at(4)}${at(5)}${i % 10}${at(6)}${at(7)}${at(8)}${(i + 3) % 10}${at(9)}`;
}

function placeAt(i: number): string {
  return ['Jakarta', 'Surabaya', 'Bandung', 'Medan'][i % 4] ?? '';
}
