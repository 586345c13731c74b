import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock, raceForLock } from '#tests/support/database/race.ts';

let api: TestApi;
let superadmin: TestUser;
before(async () => {
  api = await createTestApi();
  superadmin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const demote = `UPDATE users SET role = 'user' WHERE id = $1`;
const deactivate = 'UPDATE users SET active = false WHERE id = $1';

/** Makes a call whose caller loses rights before its transaction ends. */
async function sendMeanwhile(change: string, user: TestUser, call: string, body: object) {
  const [answer] = await raceForLock(
    api.context.db,
    [change, [user.id]],
    [() => api.send(call, { token: user.token, body })],
  );
  return [answer?.statusCode, answer?.json().code];
}

test('a change is not committed when its caller lost the rights meanwhile', async () => {
  const code = superadmin.companyCode;
  const { version: _, ...seller } = (
    await api.send('GET /api/invoices/seller', { token: superadmin.token })
  ).json();
  for (const [call, body] of [
    ['POST /api/clients', { company_name: 'Never' }],
    ['PUT /api/invoices/seller', { ...seller, name: 'Never' }],
    ['POST /api/tickets', { data_count: 1, company_code: code }],
    ['POST /api/views', { name: 'Never', query: '', shared: false }],
  ] as const) {
    for (const change of [demote, deactivate]) {
      const user = await createUser(api, { superadmin: true, companyCode: code });
      assert.deepEqual(await sendMeanwhile(change, user, call, body), [401, 'session_ended'], call);
    }
  }
  const { rows } = await api.context.db.query(
    `SELECT (SELECT count(*) FROM clients WHERE company_name = 'Never') + (SELECT count(*) FROM tickets)
       + (SELECT count(*) FROM device_views) AS stored`,
  );
  assert.deepEqual(rows, [{ stored: 0 }]);
});

test('a user who is deactivated meanwhile stores no receiver of the watch', async () => {
  const user = await createUser(api, { companyAdmin: true });
  const call = `/api/watch/${user.companyCode}`;
  const read = (await api.send(`GET ${call}`, { token: superadmin.token })).json();
  const { active, cadence, day, horizon_days, language, version } = read;
  const body = { active, cadence, day, horizon_days, language, version, receivers: ['new@example.test'] };
  assert.deepEqual(await sendMeanwhile(deactivate, user, `PUT ${call}`, body), [401, 'session_ended']);
  assert.deepEqual((await api.send(`GET ${call}`, { token: superadmin.token })).json().receivers, []);
});

test('changes of one caller do not wait for one another', async () => {
  const shared = 'SELECT FROM users WHERE id = $1 FOR SHARE';
  const answer = await holdLock(api.context.db, [shared, [superadmin.id]], () =>
    api.send('POST /api/clients', { token: superadmin.token, body: { company_name: 'Shared' } }),
  );
  assert.equal(answer.json().client.company_name, 'Shared');
});
