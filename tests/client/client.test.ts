import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startLookups } from '#features/lookups/server/worker.service.ts';
import { createTestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { generateTypes } from './generate-types.ts';

const inHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const compiler = inHere('../../node_modules/typescript/bin/tsc');

test('a client with generated types signs in, uploads, follows and downloads', async () => {
  const api = await createTestApi();
  const lookups = await startLookups(api.context, process.env, assert.ifError);
  try {
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { body: description } = await api.send('GET /api/openapi.json');
    await generateTypes(description, inHere('../../node_modules/.cache/coverdesk-client/paths.ts'));
    await promisify(execFile)(process.execPath, [compiler, '-p', inHere('.')]);

    // Not a plain import: without the generated types the compiler cannot check it.
    const { uploadAndDownload } = await import(inHere('client.ts'));
    const sheet = new Blob([makeWorkbook(['IMEI', '356303489012342', 'nothing'])]);
    const { refusal, progress, rows, workbook } = await uploadAndDownload(url, await createUser(api), sheet);
    assert.equal(refusal, 'superadmin_only');
    assert.deepEqual([progress.total, progress.percent], [2, 100]);
    assert.equal(rows.length, 2);
    assert.equal(Buffer.from(await workbook.arrayBuffer()).toString('latin1', 0, 2), 'PK');
  } finally {
    await lookups.drain();
    await api.close();
  }
});
