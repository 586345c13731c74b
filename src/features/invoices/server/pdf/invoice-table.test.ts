import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Invoice } from '../../invoices.contract.ts';
import { layOutTickets } from './invoice-table.ts';

const amounts = { billable: 3, price: 806, subtotal: 2418, discount: 0, total: 2418 };
const line = { ticket_number: '7', date: '2026-10-31', ...amounts };
const recheck = {
  ...line,
  file_name: 'recheck_ACM001_2026-10-01',
  kind: 'recheck' as const,
  rows: 3,
  made_at: '2026-09-30T17:00:00Z',
};
const paste = { ...recheck, file_name: null, kind: 'paste' as const };

test('tickets are named as on screens, those of older invoices by their file', () => {
  const older = { ...line, file_name: 'recheck_ACM001_2026-09-01' };
  const tickets = [recheck, paste, older, { ...line, file_name: null }];
  const [content] = layOutTickets({ tickets } as Invoice, 'id', 'Asia/Jakarta') as [
    { table: { body: { text: string }[][] } },
  ];
  assert.deepEqual(
    content.table.body.slice(1).map((cells) => cells[2]?.text),
    ['Pengecekan ulang Oktober 2026', 'Ditempel, 3 nomor seri', 'recheck_ACM001_2026-09-01', '–'],
  );
});
