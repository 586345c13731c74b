import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

const sheet = makeWorkbook(['C10000001', 'C10000002']);

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  user = await createUser(api);
});
after(() => api.close());

const upload = (token = user.token) =>
  uploadSheet(api, user, sheet, { token, headers: { 'idempotency-key': 'a key' } });

/** Uploads a sheet, and removes rights while the import waits to write its first rows. */
function uploadAcross(takeRights: () => Promise<unknown>) {
  const { db } = api.context;
  return holdLock(db, ['LOCK TABLE serials IN SHARE MODE', []], async (letGo) => {
    const uploading = upload();
    await waitForWaiting(db, 1);
    await takeRights();
    await letGo();
    return uploading;
  });
}

async function assertNothingStored() {
  const { rows } = await api.context.db.query(
    `SELECT (SELECT count(*) FROM tickets WHERE company_code = $1) AS tickets,
       (SELECT count(*) FROM uploads WHERE user_id = $2 AND status IS NOT NULL) AS answers`,
    [user.companyCode, user.id],
  );
  assert.deepEqual(rows, [{ tickets: 0, answers: 0 }]);
}

const setActive = (active: boolean) =>
  api.context.db.query('UPDATE clients SET active = $2 WHERE company_code = $1', [user.companyCode, active]);

test('an import is refused when its user changes the password before it commits', async () => {
  let token = '';
  const answer = await uploadAcross(async () => {
    const body = { currentPassword: user.password, newPassword: 'another password' };
    const changed = await api.send('POST /api/auth/change-password', { token: user.token, body });
    token = changed.json<{ token: string }>().token;
  });
  assert.deepEqual([answer.statusCode, answer.json().code], [401, 'session_ended']);
  await assertNothingStored();
  assert.equal((await upload(token)).statusCode, 201);
});

test('an import is refused when its client becomes Inactive before it commits', async () => {
  const answer = await uploadAcross(() => setActive(false));
  assert.deepEqual([answer.statusCode, answer.json().code], [403, 'client_inactive']);
  await assertNothingStored();
  await setActive(true);
  assert.equal((await upload()).statusCode, 201);
});

/** Repeats an upload that has its answer, and removes rights while the repeat waits to delete an old upload. */
async function repeatAcross(takeRights: () => Promise<unknown>) {
  const { db } = api.context;
  await db.query(
    `INSERT INTO uploads (user_id, company_code, key, phase, created_at)
     VALUES ($1, $2, 'old', 'done', now() - interval '2 days')`,
    [user.id, user.companyCode],
  );
  return holdLock(db, ["SELECT FROM uploads WHERE key = 'old' FOR UPDATE", []], async (letGo) => {
    const repeating = upload();
    await waitForWaiting(db, 1);
    await takeRights();
    await letGo();
    return repeating;
  });
}

test('a repeat gets no stored answer when its user has lost the right to upload', async () => {
  assert.equal((await upload()).statusCode, 201);
  const inactive = await repeatAcross(() => setActive(false));
  assert.deepEqual([inactive.statusCode, inactive.json().code], [403, 'client_inactive']);
  await setActive(true);
  const body = { currentPassword: user.password, newPassword: 'another password' };
  const ended = await repeatAcross(() =>
    api.send('POST /api/auth/change-password', { token: user.token, body }),
  );
  assert.deepEqual([ended.statusCode, ended.json().code], [401, 'session_ended']);
});
