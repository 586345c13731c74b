import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as XLSX from '@e965/xlsx';
import { callApi, makeStandardUser, type Session, uploadWorkbook } from '#tests/support/product/client.ts';
import { type Product, startProduct } from '#tests/support/product/product-process.ts';
import { smokeTest } from '#tests/support/product/smoke.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';

// The built product reads every kind of import and writes every file for download.

let product: Product;
let user: Session & { account: { companyCode: string } };
let ticket: string;
const imeis = makeImeis(5);
const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' }).format(new Date()).slice(0, 7);

before(async () => {
  product = await startProduct();
  user = await makeStandardUser(product.admin, 'Acme');
});
after(() => product.stop());

async function read(path: string, session: Session = user): Promise<Buffer> {
  const response = await fetch(`${product.url}/api${path}`, {
    headers: { authorization: `Bearer ${session.token}` },
  });
  const content = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, `${path}: ${content.subarray(0, 200)}`);
  return content;
}

/** Checks that a workbook begins and ends as a ZIP file does. */
async function checkWorkbook(path: string, session: Session = user): Promise<void> {
  const content = await read(path, session);
  assert.equal(content.readUInt32LE(0), 0x04034b50);
  assert.equal(content.readUInt32LE(content.length - 22), 0x06054b50);
}

async function untilCompleted(number: string): Promise<void> {
  await waitFor('the ticket to be completed', async () => {
    const { status } = await callApi<{ status: string }>(
      user,
      'GET',
      `/tickets/progress?ticket_number=${number}`,
    );
    return status === 'Completed';
  });
}

smokeTest('preview.service.ts preview.thread.ts', 'a sheet is previewed', async () => {
  const form = new FormData();
  form.append('excel', new Blob([new Uint8Array(makeWorkbook(imeis))]), 'phones.xlsx');
  const response = await fetch(`${product.url}/api/data/preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}` },
    body: form,
  });
  const preview = (await response.json()) as { valid_count: number };
  assert.equal(preview.valid_count, imeis.length);
});

smokeTest(
  ['import-threads.ts import.thread.ts', 'migrate.ts migrations'],
  'an .xlsx file, an .xls file and pasted serials are imported',
  async () => {
    const sheet = XLSX.utils.aoa_to_sheet([...imeis, 'no device'].map((cell) => [cell]));
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, sheet);
    const xls: Buffer = XLSX.write(book, { type: 'buffer', bookType: 'biff8' });
    for (const content of [makeWorkbook([...imeis, 'no device']), xls]) {
      const answer = await uploadWorkbook(user, new Uint8Array(content));
      assert.equal(answer.imported_count, imeis.length + 1);
      ticket ??= answer.ticket.ticket_number;
    }
    const pasted = await callApi<{ imported_count: number }>(user, 'POST', '/data/serials', {
      serials: imeis,
    });
    assert.equal(pasted.imported_count, imeis.length);
    await untilCompleted(ticket);
  },
);

smokeTest('report.service.ts report.thread.ts', "a ticket's import report is downloaded", () =>
  checkWorkbook(`/data/${ticket}/report`),
);

smokeTest('export.service.ts export.thread.ts', "a ticket's results are downloaded", async () => {
  await checkWorkbook(`/imei/download?ticket_number=${ticket}&format=excel`);
  const rows = JSON.parse((await read(`/imei/download?ticket_number=${ticket}&format=json`)).toString());
  assert.equal(rows.length, imeis.length + 1);
});

smokeTest('annotated.service.ts annotate.thread.ts', 'the uploaded sheet with results is downloaded', () =>
  checkWorkbook(`/data/${ticket}/annotated`),
);

smokeTest('download-devices.ts devices-file.thread.ts', 'the devices are downloaded', () =>
  checkWorkbook('/devices/download?format=excel'),
);

smokeTest(
  'changes.service.ts changes-file.thread.ts',
  'the changes of a recheck are downloaded',
  async () => {
    const { companyCode } = user.account;
    const run = `/rechecks/${companyCode}/run`;
    await waitFor('the devices to be registered', async () => {
      const { pagination } = await callApi<{ pagination: { totalItems: number } }>(user, 'GET', '/devices');
      return pagination.totalItems > 0;
    });
    const recheck = await callApi<{ ticket: { ticket_number: string } }>(user, 'POST', run);
    await untilCompleted(recheck.ticket.ticket_number);
    await checkWorkbook(`/rechecks/${companyCode}/changes/download?format=excel`);
  },
);

smokeTest(
  'ticket-changes.service.ts ticket-changes-file.thread.ts',
  'the changes between two tickets are downloaded',
  async () => {
    const newer = await uploadWorkbook(user, new Uint8Array(makeWorkbook(imeis)));
    const tickets = `ticket_number=${newer.ticket.ticket_number}&with=${ticket}`;
    await checkWorkbook(`/tickets/changes/download?${tickets}&format=excel`);
  },
);

smokeTest('statement-file.ts statement-file.thread.ts', 'the statements of a month are downloaded', () =>
  checkWorkbook(`/statements/download?month=${month}&format=excel`, product.admin),
);

smokeTest(
  ['invoice-pdf.ts invoice-pdf.thread.ts', 'invoice-list-file.ts invoice-list-file.thread.ts'],
  'an invoice is printed in both languages, and the list of invoices is downloaded',
  async () => {
    const { companyCode } = user.account;
    await callApi(product.admin, 'PUT', '/invoices/seller', {
      name: 'Coverdesk',
      address: 'Jalan Satu',
      tax_number: '1',
      bank: 'Bank',
      ppn_percent: 11,
    });
    const { _id } = await callApi<{ _id: string }>(product.admin, 'POST', '/invoices', {
      company_code: companyCode,
      month,
    });
    for (const language of ['en', 'id']) {
      const pdf = await read(`/invoices/${_id}/pdf?language=${language}`, product.admin);
      assert.equal(pdf.toString('latin1', 0, 5), '%PDF-');
      assert.match(pdf.toString('latin1', pdf.length - 10), /%%EOF/);
    }
    await checkWorkbook('/invoices/download?format=excel', product.admin);
  },
);

smokeTest('audit-file.ts audit-file.thread.ts', 'the audit log is downloaded', () =>
  checkWorkbook('/audit/download?format=excel', product.admin),
);

test('the calendar of the expiry watch is answered', async () => {
  const { ics_url } = await callApi<{ ics_url: string }>(user, 'PUT', `/watch/${user.account.companyCode}`, {
    active: true,
    cadence: 'weekly',
    day: 1,
    horizon_days: 730,
    language: 'en',
    receivers: [],
  });
  const calendar = await fetch(ics_url);
  assert.match(await calendar.text(), /^BEGIN:VCALENDAR/);
});

smokeTest('web-files.ts dist', 'the web app is answered', async () => {
  const page = await fetch(`${product.url}/login`);
  assert.match(await page.text(), /<title>Coverdesk/);
});

smokeTest('command-line.ts cli', 'the command line is answered', async () => {
  assert.match((await read('/cli/coverdesk.mjs')).toString(), /^#!\/usr\/bin\/env node/);
});
