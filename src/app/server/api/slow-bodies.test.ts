import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

let folder: string;
let api: TestApi;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-bodies-'));
  const file = join(folder, 'sources.json');
  await writeFile(file, JSON.stringify({ sources: [{ name: 'own', label: 'Our list', kind: 'registry' }] }));
  api = await createTestApi({ SOURCES_FILE: file });
});
after(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const formType = 'multipart/form-data; boundary=b';
const form = (field: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--b\r\ncontent-disposition: form-data; name="${field}"; filename="f.txt"\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n--b--\r\n'),
  ]);

/** Sends a body in two halves, the second after the sender's password has changed. */
function sendAcrossChange(user: TestUser, url: string, type: string, body: Buffer) {
  async function* halves() {
    yield body.subarray(0, body.length / 2);
    const change = { currentPassword: user.password, newPassword: 'another password' };
    const changed = await api.send('POST /api/auth/change-password', { token: user.token, body: change });
    assert.equal(changed.statusCode, 200);
    yield body.subarray(body.length / 2);
  }
  return api.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': type },
    payload: Readable.from(halves()),
  });
}

const sheet = makeWorkbook(['353901102345677']);
const calls: { url: string; superadmin: boolean; type: string; body: () => Buffer; stored: string }[] = [
  {
    url: '/data/upload',
    superadmin: false,
    type: formType,
    body: () => form('excel', sheet),
    stored: 'SELECT FROM tickets',
  },
  {
    url: '/proxies/upload',
    superadmin: true,
    type: formType,
    body: () => form('file', '203.0.113.5:80'),
    stored: 'SELECT FROM proxy_sets',
  },
  {
    url: '/sources/own/registry',
    superadmin: true,
    type: formType,
    body: () => form('excel', sheet),
    stored: 'SELECT FROM registries',
  },
  {
    url: '/clients',
    superadmin: true,
    type: 'application/json',
    body: () => Buffer.from(JSON.stringify({ company_name: 'Late' })),
    stored: `SELECT FROM clients WHERE company_name = 'Late'`,
  },
];
for (const { url, superadmin, type, body, stored } of calls) {
  test(`POST ${url} is refused when the password changes while its body arrives`, async () => {
    const user = await createUser(api, { superadmin });
    const answer = await sendAcrossChange(user, url, type, body());
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.json().code, 'session_ended');
    assert.equal((await api.context.db.query(stored)).rowCount, 0);
  });
}
