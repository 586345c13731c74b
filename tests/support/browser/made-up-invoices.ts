import { getInvoice, type Invoice, listInvoices } from '#features/invoices/invoices.contract.ts';
import type { FakeApi } from './fake-api.ts';
import { pageOf } from './paging.ts';

/** The seller whom invoices name. */
export const seller = {
  name: 'PT Cakupan Garansi Nusantara Sejahtera',
  address: 'Menara Sudirman Lantai 27\nJakarta Selatan 12190',
  tax_number: '01.234.567.8-901.000',
  bank: 'Bank Mandiri 123 000 456 7890',
  ppn_percent: 11,
};
const line = (n: number) => ({
  ticket_number: String(120 + n),
  date: `2026-10-${String(n + 1).padStart(2, '0')}`,
  file_name: n % 2 === 0 ? 'warehouse-jakarta-timur-phones-batch-of-october-2026.xlsx' : null,
  billable: 125_000,
  price: 806,
  subtotal: 100_750_000,
  discount: 10_075_000,
  total: 90_675_000,
});
/** A draft with two tickets. */
export const draft: Invoice = {
  _id: '1',
  number: null,
  status: 'draft',
  company_code: 'TEL001',
  company_name: 'PT Telekomunikasi Selular Perangkat & Layanan Purna Jual Indonesia',
  client: {
    name: 'PT Telekomunikasi Selular Perangkat & Layanan Purna Jual Indonesia',
    address: 'Jalan Gatot Subroto Kav. 52\nJakarta Selatan 12710',
    tax_number: '01.000.013.1-093.000',
  },
  month: '2026-10',
  tickets: [line(0), line(1)],
  subtotal: 181_350_000,
  ppn_percent: 11,
  ppn: 19_948_500,
  total: 201_298_500,
  note: '',
  due_at: null,
  payment_days: null,
  overdue: false,
  created_at: '2026-11-02T03:00:00.000Z',
  issued_at: null,
  issued_on: null,
  paid_at: null,
  payment_note: null,
  reminded_at: null,
  sent: null,
  seller,
  credit_note: null,
};
/** An overdue invoice of the same tickets. */
export const issued: Invoice = {
  ...draft,
  _id: '2',
  number: 'INV/2026/0001',
  status: 'issued',
  issued_at: '2026-11-03T03:00:00.000Z',
  issued_on: '2026-11-03',
  due_at: '2026-11-17',
  overdue: true,
};
/** An invoice with a credit note. */
export const credited: Invoice = {
  ...issued,
  _id: '3',
  number: 'INV/2026/0002',
  status: 'credited',
  overdue: false,
  credit_note: { number: 'CN/2026/0001', reason: 'Wrong discount', issued_at: '2026-11-04T03:00:00.000Z' },
};

/** Answers the list of invoices, on one page, and the whole of the first one. */
export function answerInvoices(api: FakeApi, ...invoices: Invoice[]): void {
  const [first] = invoices;
  if (first) api.answer(getInvoice, first);
  const listed = invoices.map(({ tickets: _, ...invoice }) => invoice);
  const open = { count: 1, total: issued.total, overdue_count: 1, overdue_total: issued.total };
  api.answer(listInvoices, { ...pageOf(listed), open });
}
