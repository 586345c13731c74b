import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import type { Invoice } from '../../invoices.contract.ts';

const run = promisify(execFile);
const lines = 36;

let api: TestApi;
let superadmin: TestUser;
let admin: TestUser;
let folder: string;
let invoice: Invoice;
let hasPoppler = true;

before(async () => {
  hasPoppler = await run('pdftoppm', ['-v']).then(
    () => true,
    () => false,
  );
  folder = process.env.PICTURES ?? (await mkdtemp(join(tmpdir(), 'coverdesk-pdf-')));
  api = await createTestApi({ APP_TIMEZONE: 'Asia/Jakarta' });
  superadmin = await createUser(api, { superadmin: true });
  admin = await createUser(api, { companyAdmin: true });
  await send('PUT /api/invoices/seller', {
    name: 'PT Cakupan Garansi Nusantara Sejahtera',
    address: 'Menara Sudirman Lantai 27, Jalan Jenderal Sudirman Kavling 60\nJakarta Selatan 12190',
    tax_number: '01.234.567.8-901.000',
    bank: 'Bank Mandiri, KCP Sudirman\n123 000 456 7890\nPT Cakupan Garansi Nusantara Sejahtera',
    ppn_percent: 11,
  });
  await send(`PUT /api/terms/${admin.companyCode}`, {
    address: 'Jalan Gatot Subroto Kavling 52\nJakarta Selatan 12710',
    tax_number: '01.000.013.1-093.000',
  });
  await api.context.db.query('UPDATE clients SET company_name = $2 WHERE company_code = $1', [
    admin.companyCode,
    'PT Telekomunikasi Selular Perangkat & Layanan Purna Jual Indonesia Tbk',
  ]);
  invoice = await makeInvoice();
});
after(async () => {
  await api.close();
  if (!process.env.PICTURES) await rm(folder, { recursive: true });
});

const send = (call: string, body?: unknown, who = superadmin) =>
  api.send(call, { token: who.token, ...(body !== undefined && { body }) });

/** Issues an invoice of many tickets with long file names. */
async function makeInvoice(): Promise<Invoice> {
  const { companyCode, id: createdBy } = admin;
  const { db } = api.context;
  const ticket = { companyCode, createdBy, status: 'Completed', rows: [{ state: 'done' }] } as const;
  for (let made = 0; made < lines; made += 1)
    await createTicketWithRows(api, { ...ticket, rows: [...ticket.rows] });
  await db.query(
    `UPDATE tickets SET finished_at = '2026-10-01T03:00:00Z'::timestamptz + ticket_number * interval '12 hours', done = 125000 + ticket_number,
       total = 130000, price = '0.05', current_dollar_price = 16123, discount = 10,
       file_name = CASE WHEN ticket_number % 3 = 0 THEN 'gudang_jakarta_timur_dan_cabang_surabaya_perangkat_oktober_2026_final_v2.xlsx'
         WHEN ticket_number % 3 = 1 THEN 'Stock opname October, warehouse 7.xlsx' END
     WHERE company_code = $1`,
    [companyCode],
  );
  const draft = await send('POST /api/invoices', { company_code: companyCode, month: '2026-10' });
  const { _id } = draft.json();
  await send(`PUT /api/invoices/${_id}`, {
    note: 'Terima kasih atas kerja sama Anda.',
    due_at: '2026-12-15',
  });
  const issued = await send(`POST /api/invoices/${_id}/issue`);
  assert.equal(issued.statusCode, 200, issued.body);
  return issued.json();
}

/** Downloads a PDF, keeps it as pictures of its pages, and reads its text. */
async function readPdf(query: string, name: string, who = admin, { _id } = invoice) {
  const answer = await send(`GET /api/invoices/${_id}/pdf?${query}`, undefined, who);
  assert.equal(answer.statusCode, 200, answer.body.slice(0, 200));
  assert.equal(answer.headers['content-type'], 'application/pdf');
  assert.equal(answer.rawPayload.subarray(0, 5).toString(), '%PDF-');
  if (!hasPoppler) return { answer, text: null, pages: 0 };
  const file = join(folder, `${name}.pdf`);
  await writeFile(file, answer.rawPayload);
  await run('pdftoppm', ['-png', '-r', '70', file, join(folder, name)]);
  const pictures = (await readdir(folder)).filter((one) => one.startsWith(`${name}-`));
  // A blank page is smaller.
  for (const one of pictures) assert.ok((await stat(join(folder, one))).size > 5000, one);
  const { stdout } = await run('pdftotext', ['-layout', file, '-']);
  return { answer, text: stdout, pages: pictures.length };
}
/** Reads the words of a PDF with their edges in points. */
async function readWords(pdf: Buffer, name: string) {
  const file = join(folder, `${name}-words.pdf`);
  await writeFile(file, pdf);
  const { stdout } = await run('pdftotext', ['-bbox', file, '-']);
  const words = stdout.matchAll(/xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*)</g);
  return [...words].map(([, left, top, right, bottom, word = '']) => ({
    ...{ left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) },
    word,
  }));
}
const withoutPoppler = 'pdftoppm and pdftotext are missing: Debian has them in poppler-utils';

test('an invoice is printed in English over its pages, with amounts in words', async (t) => {
  const { answer, text, pages } = await readPdf('language=en', 'invoice-en');
  const number = invoice.number ?? '';
  assert.match(
    String(answer.headers['content-disposition']),
    /^attachment; filename="INV-\d{4}-0001-en\.pdf"$/,
  );
  if (text === null) return t.skip(withoutPoppler);
  assert.equal(pages, 2);
  for (const words of [
    ...[
      'INVOICE',
      number,
      'PT Cakupan Garansi',
      '01.234.567.8-901.000',
      'PT Telekomunikasi Selular',
      'Gatot Subroto',
      '01.000.013.1-093.000',
      admin.companyCode,
    ],
    ...['October 2026', '15 December 2026', 'PPN 11%', 'Page 2 of 2', 'Bank Mandiri', 'Terima kasih'],
  ]) {
    assert.ok(text.includes(words), words);
  }
  for (const amount of [invoice.subtotal, invoice.ppn, invoice.total]) {
    assert.ok(text.includes(`Rp ${amount.toLocaleString('id-ID')}`), String(amount));
  }
  assert.match(text, /billion\s[a-z\s-]+\smillion\s[a-z\s-]+rupiah/);
  assert.equal(text.match(/^ *\d+ +\d+ Oct 2026 /gm)?.length, lines);
});

test('an invoice is printed in Indonesian, and is the same each time', async (t) => {
  const first = await readPdf('language=id', 'invoice-id');
  const again = await readPdf('language=id', 'invoice-id');
  assert.deepEqual(again.answer.rawPayload, first.answer.rawPayload);
  if (first.text === null) return t.skip(withoutPoppler);
  for (const words of ['FAKTUR', 'Jatuh tempo', '15 Desember 2026', 'Terbilang', 'Halaman 2 dari 2']) {
    assert.ok(first.text.includes(words), words);
  }
  assert.match(first.text, /miliar [a-z ]+ juta [a-z\s]+rupiah/);
});

test('long names and many lines stay on the pages', async (t) => {
  const owner = await createUser(api, { companyAdmin: true });
  await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  const { db } = api.context;
  await db.query(`UPDATE tickets SET finished_at = '2026-10-05T03:00:00Z' WHERE company_code = $1`, [
    owner.companyCode,
  ]);
  await db.query('UPDATE clients SET company_name = $2 WHERE company_code = $1', [
    owner.companyCode,
    'W'.repeat(200),
  ]);
  await send(`PUT /api/terms/${owner.companyCode}`, {
    address: 'gedung'.repeat(100),
    tax_number: '2'.repeat(100),
  });
  const { ppn_percent, version: _version, ...before } = (await send('GET /api/invoices/seller')).json();
  const lineByLine = (word: string, count: number) =>
    Array.from({ length: count }, (_, line) => `${word}${line + 1}`).join('\n');
  const seller = {
    name: 'M'.repeat(200),
    address: 'jalan'.repeat(100),
    tax_number: '1'.repeat(100),
    bank: lineByLine('bank', 100),
    ppn_percent,
  };
  assert.equal((await send('PUT /api/invoices/seller', seller)).statusCode, 200);
  const draft = await send('POST /api/invoices', { company_code: owner.companyCode, month: '2026-10' });
  const { _id } = draft.json<Invoice>();
  await send(`PUT /api/invoices/${_id}`, { note: lineByLine('note', 150) });
  const { answer, text } = await readPdf('language=en', 'invoice-long', superadmin, draft.json());
  await send('PUT /api/invoices/seller', { ...before, ppn_percent });
  if (text === null) return t.skip(withoutPoppler);
  const words = await readWords(answer.rawPayload, 'invoice-long');
  const outside = words.filter(
    ({ left, top, right, bottom }) => left < 39 || top < 39 || right > 556 || bottom > 842,
  );
  assert.deepEqual(
    outside.map(({ word }) => word),
    [],
  );
  for (const word of ['bank1', 'bank100', 'note1', 'note150']) {
    assert.ok(
      words.some((found) => found.word === word),
      word,
    );
  }
});

test('large amounts do not overlap', async (t) => {
  const { companyCode, id: createdBy } = await createUser(api, { companyAdmin: true });
  await createTicketWithRows(api, { companyCode, createdBy, status: 'Completed', rows: [{ state: 'done' }] });
  await api.context.db.query(
    `UPDATE tickets SET finished_at = '2026-10-01T03:00:00Z', done = 1250000, total = 1250000, price = '80000.05',
       current_dollar_price = 16123, discount = 50 WHERE company_code = $1`,
    [companyCode],
  );
  const draft = (await send('POST /api/invoices', { company_code: companyCode, month: '2026-10' })).json();
  for (const language of ['en', 'id']) {
    const name = `invoice-amounts-${language}`;
    const { answer, text } = await readPdf(`language=${language}`, name, superadmin, draft);
    if (text === null) return t.skip(withoutPoppler);
    const words = await readWords(answer.rawPayload, name);
    for (const word of words) {
      assert.ok(word.right < 556, word.word);
      const covered = words.find(
        ({ left, top, bottom }) =>
          left > word.left && left < word.right && top < word.bottom && bottom > word.top,
      );
      assert.equal(covered, undefined, word.word);
    }
    assert.ok(words.some(({ word }) => word === draft.subtotal.toLocaleString('id-ID')));
  }
});

test('an invoice of 5,000 tickets is issued, and printed with sums by day', async (t) => {
  const { companyCode, id } = await createUser(api, { companyAdmin: true });
  const one = { companyCode, createdBy: id, status: 'Completed', rows: [{ state: 'done' }] } as const;
  await createTicketWithRows(api, { ...one, rows: [...one.rows] });
  await api.context.db.query(
    `INSERT INTO tickets SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id + n, 'ticket_number', 100000 + n,
       'finished_at', '2026-10-01T03:00:00Z'::timestamptz + CASE n WHEN 1 THEN 30 ELSE n % 30 END * interval '1 day'))).*
     FROM tickets t, generate_series(1, 5000) AS n WHERE t.company_code = $1`,
    [companyCode],
  );
  const draft = await send('POST /api/invoices', { company_code: companyCode, month: '2026-10' });
  const issued = await send(`POST /api/invoices/${draft.json()._id}/issue`);
  const large = issued.json<Invoice>();
  assert.equal(large.tickets.length, 5000);
  const { text, pages } = await readPdf('language=en', 'invoice-large', superadmin, large);
  if (text === null) return t.skip(withoutPoppler);
  assert.equal(pages, 2);
  assert.equal(text.match(/^ *\d+ Oct 2026 +16[67] tickets /gm)?.length, 30);
  assert.match(text, /^ *31 Oct 2026 +1 ticket /m);
  assert.ok(text.includes('This invoice has 5,000 tickets'));
  assert.ok(text.includes(`Rp ${large.total.toLocaleString('id-ID')}`));
});

test('the download of a PDF is recorded for the company of its invoice', async () => {
  const other = await createUser(api, { companyAdmin: true });
  await send(`GET /api/invoices/${invoice._id}/pdf`, undefined, other);
  await send(`GET /api/invoices/${invoice._id}/pdf?language=id`, undefined, admin);
  const answer = await send('GET /api/audit?action=invoice.export', undefined, admin);
  const entries = answer.json<{ data: { object_id: string; after: unknown }[] }>().data;
  const [latest] = entries.filter((entry) => entry.object_id === String(invoice._id));
  assert.deepEqual(latest?.after, { format: 'pdf', number: invoice.number, language: 'id' });
});

test('a credit note is printed with its number and reason, and only once there is one', async (t) => {
  const call = `GET /api/invoices/${invoice._id}/pdf?document=credit-note`;
  assert.equal((await send(call, undefined, admin)).json().code, 'credit_note_not_found');
  const draft = await createUser(api, { companyAdmin: true });
  assert.equal((await send(call, undefined, draft)).json().code, 'invoice_not_found');
  await send(`POST /api/invoices/${invoice._id}/credit`, { reason: 'Diskon salah: seharusnya 15 persen.' });
  const { answer, text } = await readPdf('language=id&document=credit-note', 'credit-note-id');
  assert.match(String(answer.headers['content-disposition']), /filename="CN-\d{4}-0001-id\.pdf"/);
  if (text === null) return t.skip(withoutPoppler);
  for (const words of ['NOTA KREDIT', `CN/`, invoice.number ?? '', 'seharusnya 15 persen']) {
    assert.ok(text.includes(words), words);
  }
  // The invoice itself stays as it was.
  assert.ok((await readPdf('language=en', 'invoice-credited')).text?.includes('INVOICE'));
});
