import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createExportedTicket, readResultsSheet } from '#tests/support/api/exports.ts';
import { createUser } from '#tests/support/api/factories.ts';

/** Our number formats, as LibreOffice writes them. */
const itsForms = { day: 'm/d/yyyy', instant: 'm/d/yyyy\\ h:mm' };

const isThere = spawnSync('soffice', ['--version'], { timeout: 60_000 }).status === 0;

let api: TestApi;

before(async () => {
  api = await createTestApi();
});
after(() => api.close());

test('LibreOffice reads a results workbook and writes the same cells', {
  skip: !isThere && 'LibreOffice (soffice) is not installed',
}, async () => {
  const user = await createUser(api);
  const { number } = await createExportedTicket(api, user);
  const { rawPayload } = await api.send(`GET /api/imei/download?ticket_number=${number}&provenance=1`, {
    token: user.token,
  });
  const folder = api.context.config.DATA_DIR;
  const path = join(folder, 'results.xlsx');
  await writeFile(path, rawPayload);
  const out = join(folder, 'converted');
  // An own profile, because LibreOffice refuses one that is in use.
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
  const { stderr } = await promisify(execFile)(
    'soffice',
    [profile, '--headless', '--convert-to', 'xlsx', '--outdir', out, path],
    { timeout: 120_000 },
  );
  const written = await readFile(join(out, 'results.xlsx')).catch(() => assert.fail(stderr));
  for (const sheet of [0, 1]) {
    assert.deepEqual(readResultsSheet(written, sheet, itsForms), readResultsSheet(rawPayload, sheet));
  }
});
