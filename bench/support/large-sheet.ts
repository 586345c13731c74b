import { createWriteStream } from 'node:fs';
import ExcelJS from 'exceljs';
import { makeImeis } from '../../tests/support/sheets/devices.ts';

/** Writes a workbook with one sheet of ten columns, without a header. */
export async function writeSheet(file: string, rows: number): Promise<void> {
  const stream = createWriteStream(file);
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: false, useSharedStrings: false });
  const sheet = book.addWorksheet('Devices');
  for (const [i, imei] of makeImeis(rows).entries()) {
    const device = [imei, 'iPhone 15 Pro', `Store ${i % 97}`, i % 10, 1234.5 + (i % 50)];
    sheet.addRow([...device, 45_000 + (i % 900), `note & ${i}`, 'Jakarta', `C-${i}`, i % 2 === 0]).commit();
  }
  await book.commit();
}
