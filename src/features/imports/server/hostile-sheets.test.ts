import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createUser, type TestUser } from '#tests/support/factories.ts';
import { makeWorkbook, withZip64Locator } from '#tests/support/make-workbook.ts';

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
});
after(() => api.close());

const serial = '356938030010004';

async function upload(content: Buffer) {
  const answer = await api.send('POST /api/data/upload', {
    token: user.token,
    file: { field: 'excel', name: 'sheet.xlsx', content },
  });
  return { status: answer.statusCode, ...answer.json<{ code?: string; imported_count?: number }>() };
}

/** A sound sheet is taken, and nothing of those before is left. */
async function assertUnharmed() {
  assert.equal((await upload(makeWorkbook([serial]))).status, 201);
  assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
}

test('a zip that points beyond every file ends its own import, not the process', async () => {
  for (const place of [2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 31n]) {
    const { status, code } = await upload(withZip64Locator(makeWorkbook([serial]), place));
    assert.deepEqual([status, code], [422, 'sheet_corrupt'], String(place));
  }
  await assertUnharmed();
});
