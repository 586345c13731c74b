import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as XLSX from '@e965/xlsx';
import type { Source } from '#features/sources/sources.contract.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { sendInPieces } from '#tests/support/api/send-in-pieces.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

let folder: string;
let api: TestApi;
let superadmin: TestUser;
let user: TestUser;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-registry-'));
  const file = join(folder, 'sources.json');
  const sources = [
    { name: 'own', label: 'Our own list', kind: 'registry' },
    { name: 'sandbox', kind: 'sandbox' },
  ];
  await writeFile(file, JSON.stringify({ sources }));
  api = await createTestApi({ SOURCES_FILE: file, MAX_UPLOAD_MB: '1' });
  superadmin = await createUser(api, { superadmin: true });
  user = await createUser(api);
});
after(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const upload = (name: string, content: Buffer | string, more: { token?: string; field?: string } = {}) =>
  api.send(`POST /api/sources/${name}/registry`, {
    token: more.token ?? superadmin.token,
    file: { field: more.field ?? 'excel', name: 'list.xlsx', content },
  });
const shown = async (name: string) => {
  const answer = await api.send('GET /api/sources', { token: superadmin.token });
  return answer.json<{ data: Source[] }>().data.find((source) => source.name === name);
};

test('a superadmin uploads a list, sees its length, tries it and replaces it', async () => {
  assert.equal((await shown('own'))?.registry, null);
  const first = await upload('own', makeWorkbook(['Device', 'F17XK1ABC01', '353901102345677', 'nonsense']));
  assert.equal(first.statusCode, 201);
  const { source, ...answer } = first.json<{ source: Source }>();
  assert.deepEqual(answer, {
    message: 'The list now has 2 devices',
    imported_count: 2,
    rejected_count: 1,
    rejected: [{ row: 4, reason: 'The device is not a valid IMEI, MEID or serial number' }],
  });
  assert.equal(source.registry?.devices, 2);
  assert.deepEqual((await shown('own'))?.registry, source.registry);

  const tried = async (serial: string) =>
    (await api.send('POST /api/sources/own/try', { token: superadmin.token, body: { serial } })).json<{
      outcome: string;
    }>().outcome;
  assert.equal(await tried('f17xk1abc01'), 'found');
  assert.equal((await upload('own', makeWorkbook(['F17XK1ABC02']))).statusCode, 201);
  assert.equal(await tried('F17XK1ABC01'), 'not_found');
  assert.equal((await shown('own'))?.registry?.devices, 1);
});

test('a row with an unreadable date is rejected', async () => {
  const book = XLSX.utils.book_new();
  const rows = [['F17XK1ABC08', 45_983.25], ['F17XK1ABC09']];
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), 'Devices');
  const file = XLSX.write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer;
  const number = Buffer.alloc(8);
  number.writeDoubleLE(45_983.25);
  const at = file.indexOf(number);
  assert.ok(at > 0);
  for (const none of [Number.NaN, Number.POSITIVE_INFINITY]) {
    file.writeDoubleLE(none, at);
    const answer = await upload('own', file);
    assert.equal(answer.statusCode, 201, answer.body);
    assert.deepEqual(answer.json().rejected, [{ row: 1, reason: 'The purchase date is not a date' }]);
  }
});

test('an unusable file is refused, and the current list stays', async () => {
  await upload('own', makeWorkbook(['F17XK1ABC07']));
  const refused = async (answer: ReturnType<typeof upload>, status: number, error: string) => {
    const { statusCode, ...rest } = await answer;
    assert.deepEqual([statusCode, rest.json<{ error: string }>().error], [status, error]);
  };
  await refused(
    upload('own', ''),
    415,
    'This file is not an Excel file (.xlsx or .xls). Save it as one of these and upload it again.',
  );
  await refused(
    upload('own', makeWorkbook(['Device', 'nonsense'])),
    422,
    'This sheet has no usable row. The current list stays. Correct the rows named and upload it again.',
  );
  await refused(upload('own', 'x', { field: 'other' }), 400, 'Please select a file to upload');
  assert.equal((await upload('own', Buffer.alloc(1_100_000))).statusCode, 413);
  const list = makeWorkbook(['F17XK1ABC01']);
  const pieces = [Buffer.concat([list, Buffer.alloc(1024 * 1024 - list.length)]), Buffer.alloc(1)];
  const parts = { token: superadmin.token, field: 'excel', pieces };
  assert.equal((await sendInPieces(api, '/sources/own/registry', parts)).statusCode, 413);
  await refused(
    upload('nobody', makeWorkbook(['F17XK1ABC01'])),
    404,
    'Source not found. It may have been removed; reload the list.',
  );
  await refused(
    upload('sandbox', makeWorkbook(['F17XK1ABC01'])),
    409,
    'This source is not a list of your own, so none can be uploaded.',
  );
  assert.equal((await upload('own', 'x', { token: user.token })).statusCode, 403);
  assert.equal((await shown('own'))?.registry?.devices, 1);
  assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
});
