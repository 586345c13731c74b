import assert from 'node:assert/strict';
import * as XLSX from '@e965/xlsx';
import type { TestApi } from './api.ts';
import { createTicketWithRows, type TestUser } from './factories.ts';

/** Creates a running ticket with a row of each kind, including texts that are dangerous in a workbook. */
export const createExportedTicket = (api: TestApi, user: TestUser) =>
  createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Processing',
    rows: [
      { serial: '013554006297015', state: 'done', activation: 'activated', end: '2026-12-21' },
      {
        serial: '350000000000002',
        state: 'done',
        activation: 'unactivated',
        title: '=1+1 _x0041_ <&> \u0001',
      },
      { serial: '=HYPERLINK("x")', state: 'failed', reason: 'Invalid serial number' },
      { serial: '350000000000004' },
    ],
  });

/** The number formats of days and instants, as a program writes them. */
type DateForms = { day: string; instant: string };
const ownForms: DateForms = { day: 'm/d/yy', instant: 'm/d/yy h:mm' };

/**
 * Reads the cells of one sheet of a workbook: texts and numbers as they are, days and instants as text, null for an empty
 * cell.
 */
export function readResultsSheet(content: Buffer, nth = 0, forms = ownForms) {
  const workbook = XLSX.read(content, { dense: true, cellNF: true });
  const sheet = workbook.Sheets[workbook.SheetNames[nth] ?? ''] ?? assert.fail('no sheet');
  return (sheet['!data'] ?? []).map((cells) =>
    Array.from(cells, (cell) => {
      if (!cell) return null;
      if (cell.t === 's' || cell.z === 'General' || cell.z === '#,##0') return cell.v;
      if (cell.z === forms.day) return XLSX.SSF.format('yyyy-mm-dd', cell.v);
      assert.equal(cell.z, forms.instant);
      return XLSX.SSF.format('yyyy-mm-dd hh:mm:ss', cell.v);
    }),
  );
}

/** Reads one column of the first sheet of a workbook: the serial of each row, and its cell. */
export function readColumn(content: Buffer, name: string) {
  const [head = [], ...rows] = readResultsSheet(content);
  const [serial, column] = [head.indexOf('Serial Number'), head.indexOf(name)];
  assert.ok(serial >= 0 && column >= 0, head.join());
  return rows.map((row) => [row[serial], row[column] ?? null]);
}

/** The header of a results workbook in English. */
export const resultsHead = [
  'No',
  'Serial Number',
  'Type',
  'Status',
  'Purchase Date',
  'Warranty',
  'Coverage Start',
  'Coverage End',
  'Expires In',
  'Fetched At',
  'Reason',
];
