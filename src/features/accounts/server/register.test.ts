import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createCompany, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock, raceForLock, waitForWaiting } from '#tests/support/database/race.ts';
import { createFirstSuperadmin } from './accounts.service.ts';

let api: TestApi;
let admin: TestUser;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const register = (body: object, headers = {}) =>
  api.send('POST /api/auth/register', { token: admin.token, body, headers });
const order = (more: object = {}) => ({
  name: 'Budi Santoso',
  email: 'budi@example.test',
  password: 'a first password',
  superadmin: '0',
  company_code: admin.companyCode,
  ...more,
});

test('a registered user signs in and must change the password first', async () => {
  const answer = await register(order());
  assert.equal(answer.statusCode, 201);
  const { message, user } = answer.json();
  assert.equal(message, 'User Budi Santoso registered');
  assert.deepEqual(
    { ...user, _id: 'id' },
    {
      _id: 'id',
      name: 'Budi Santoso',
      email: 'budi@example.test',
      superadmin: '0',
      new_user: '1',
      company_code: admin.companyCode,
    },
  );
  const login = await api.send('POST /api/auth/login', { body: order() });
  const { token } = login.json<{ token: string }>();
  const refused = await api.send('GET /api/tickets/last', { token });
  assert.equal(refused.statusCode, 403);
  assert.equal(refused.json().code, 'password_change_required');
});

test('a user registered without a role is a standard user', async () => {
  const { superadmin: _, ...rest } = order({ email: 'plain@example.test' });
  const answer = await register(rest);
  assert.equal(answer.json().user.superadmin, '0');
});

test('an email address is taken in any case, also for two calls at once', async () => {
  const taken = await register(order({ email: 'BUDI@example.test' }));
  assert.equal(taken.statusCode, 409);
  assert.equal(taken.json().message, 'Email is already registered');
  const same = () => register(order({ email: 'twin@example.test' }));
  const answers = await Promise.all([same(), same(), same()]);
  assert.deepEqual(answers.map((answer) => answer.statusCode).sort(), [201, 409, 409]);
});

test('the company code must belong to an Active client, also for a superadmin', async () => {
  const inactive = await createCompany(api, 'Gone');
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [inactive]);
  for (const company_code of [inactive, 'NON001']) {
    const answer = await register(order({ email: 'c@example.test', superadmin: '1', company_code }));
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().details[0].path, 'company_code');
  }
  for (const company_code of ['', undefined]) {
    const none = await register(order({ email: 'c@example.test', company_code }));
    assert.equal(none.json().message, 'Please select a company code.');
  }
});

test('each field has its limits', async () => {
  const cases: [object, string][] = [
    [{ name: ' ab ' }, 'name must be at least 3 characters long'],
    [{ email: 'nobody' }, 'Please enter a valid email address'],
    [{ password: '1234567' }, 'Minimum 8 characters'],
    [{ superadmin: '2' }, 'superadmin must be one of: 0, 1'],
    [{ name: 'half a pair: \ud83d' }, 'name is not valid'],
    [{ name: 'Ayu\r\nLestari' }, 'A name is one visible line without control characters.'],
    [{ name: '\u200b\u2060\u200b' }, 'A name is one visible line without control characters.'],
  ];
  for (const [change, message] of cases) {
    const answer = await register(order({ email: 'new@example.test', ...change }));
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().message, message);
  }
});

test('concurrent processes create one first superadmin', async () => {
  const fresh = await createTestApi();
  try {
    const { db } = fresh.context;
    const make = () => createFirstSuperadmin(db, { email: 'admin@localhost' });
    const made = (await Promise.all([make(), make(), make()])).filter((result) => result !== undefined);
    assert.equal(made.length, 1);
    const [first] = made;
    assert.match(first?.generatedPassword ?? '', /^[A-Za-z0-9]{22}$/);
    const body = { email: 'admin@localhost', password: first?.generatedPassword };
    assert.equal((await fresh.send('POST /api/auth/login', { body })).statusCode, 200);
    const { rows } = await db.query('SELECT superadmin, new_user, company_code FROM users');
    assert.deepEqual(rows, [{ superadmin: true, new_user: true, company_code: null }]);
  } finally {
    await fresh.close();
  }
});

test('a first superadmin with a given password need not change it', async () => {
  const fresh = await createTestApi();
  try {
    const { db } = fresh.context;
    const made = await createFirstSuperadmin(db, { email: 'root@example.test', password: 'given password' });
    assert.deepEqual(made, { email: 'root@example.test', generatedPassword: undefined });
    const { rows } = await db.query('SELECT new_user FROM users');
    assert.deepEqual(rows, [{ new_user: false }]);
  } finally {
    await fresh.close();
  }
});

test('registering a user of a client that is being deleted answers an unknown client', async () => {
  const company_code = await createCompany(api, 'Brief');
  const [answer] = await raceForLock(
    api.context.db,
    ['DELETE FROM clients WHERE company_code = $1', [company_code]],
    [() => register(order({ email: 'late@example.test', company_code }))],
  );
  assert.equal(answer?.statusCode, 400);
  assert.equal(answer?.json().details[0].path, 'company_code');
});

test('registering a user of a client that becomes Inactive is refused', async () => {
  const company_code = await createCompany(api, 'Brief');
  const [answer] = await raceForLock(
    api.context.db,
    ['UPDATE clients SET active = false WHERE company_code = $1', [company_code]],
    [() => register(order({ email: 'late@example.test', company_code }))],
  );
  assert.equal(answer?.statusCode, 400);
});

test('registering a user is refused when the password of the superadmin changes before the commit', async () => {
  const superadmin = await createUser(api, { superadmin: true });
  const { db } = api.context;
  const lock = 'SELECT FROM clients WHERE company_code = $1 FOR UPDATE';
  const answer = await holdLock(db, [lock, [admin.companyCode]], async (letGo) => {
    const body = order({ email: 'backdoor@example.test', superadmin: '1' });
    const registering = api.send('POST /api/auth/register', { token: superadmin.token, body });
    await waitForWaiting(db, 1);
    const change = { currentPassword: superadmin.password, newPassword: 'another password' };
    await api.send('POST /api/auth/change-password', { token: superadmin.token, body: change });
    await letGo();
    return registering;
  });
  assert.deepEqual([answer.statusCode, answer.json().code], [401, 'session_ended']);
});
