import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '#server/db/db.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { storeWithinBudget } from './budgets.service.ts';

let api: TestApi;
let superadmin: TestUser;
let user: TestUser;
/** The price of a row in rupiah. */
const price = 800;

before(async () => {
  api = await createTestApi({ PRICE_USD: '0.05', DOLLAR_RATE: '16000' });
  superadmin = await createUser(api, { superadmin: true });
  user = await createUser(api);
});
after(() => api.close());

let made = 0;
const newSerials = (count: number) =>
  Array.from({ length: count }, () => {
    made += 1;
    return `C${String(made).padStart(7, '0')}`;
  });
const upload = (serials: string[], who = user, body: object = {}) =>
  api.send('POST /api/data/serials', { token: who.token, body: { serials, ...body } });
const read = async (who: TestUser, code = user.companyCode) =>
  (await api.send(`GET /api/budgets/${code}`, { token: who.token })).json();
const setLimit = (limit: unknown, code = user.companyCode, token = superadmin.token) =>
  api.send(`PUT /api/budgets/${code}`, { token, body: { monthly_rupiah: limit } });
const monthBefore = `date_trunc('month', now() AT TIME ZONE 'Asia/Jakarta') AT TIME ZONE 'Asia/Jakarta' - interval '1 second'`;
const setRows = async (rows: number | null) =>
  assert.equal((await setLimit(rows === null ? null : rows * price)).statusCode, 200);

test('a company without a budget imports as it likes, and sees what it used', async () => {
  const { monthly_rupiah, used, month } = await read(user);
  assert.deepEqual([monthly_rupiah, used], [null, 0]);
  assert.match(month, /^\d{4}-\d{2}$/);
  const answer = await upload([...newSerials(2), 'not a serial at all', '']);
  assert.equal(answer.statusCode, 201, answer.body);
  assert.equal('budget_warning' in answer.json(), false);
  assert.equal((await read(user)).used, 2 * price);
  assert.equal((await read(superadmin)).used, 2 * price);
});

test('imports of another month, and of another company, use nothing of the budget', async () => {
  const { id } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  assert.equal((await read(user)).used, 3 * price);
  await api.context.db.query(`UPDATE tickets SET imported_at = ${monthBefore} WHERE id = $1`, [id]);
  await upload(newSerials(1), await createUser(api));
  assert.equal((await read(user)).used, 2 * price);
});

test('an import that is checked after midnight of the first counts in the month in which it was stored', async () => {
  const { db } = api.context;
  const { companyCode, id: createdBy } = await createUser(api);
  await setLimit(price, companyCode);
  const storing = inTransaction(db, (tx) =>
    storeWithinBudget(tx, { companyCode, timeZone: 'Asia/Jakarta' }, async () => {
      const rows = [{}, {}];
      const { id } = await createTicketWithRows(api, { companyCode, createdBy, rows });
      const stored = await db.query<{ imported_at: Date }>(
        `UPDATE tickets SET imported_at = ${monthBefore} WHERE id = $1 RETURNING imported_at`,
        [id],
      );
      return stored.rows[0] ?? assert.fail();
    }),
  );
  await assert.rejects(storing, { code: 'budget_exceeded' });
});

test('an import warns from 80 percent on, may use the whole budget, and is refused beyond it', async () => {
  await setRows(10);
  const below = await upload(newSerials(5));
  assert.equal('budget_warning' in below.json(), false);
  const warned = await upload(newSerials(1));
  assert.deepEqual(warned.json().budget_warning, { monthly_rupiah: 10 * price, used: 8 * price });
  const last = await upload(newSerials(2));
  assert.deepEqual(last.json().budget_warning, { monthly_rupiah: 10 * price, used: 10 * price });

  const serials = newSerials(1);
  const tickets = async () =>
    (await api.context.db.query('SELECT count(*)::int AS n FROM tickets')).rows[0].n;
  const before = await tickets();
  const refused = await api.send('POST /api/data/serials', {
    token: user.token,
    body: { serials },
    headers: { 'idempotency-key': 'one', 'accept-language': 'en' },
  });
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'budget_exceeded']);
  assert.match(refused.json().message, /Rp 8\.000; with this import, Rp 8\.800/);
  assert.deepEqual([await tickets(), (await read(user)).used], [before, 10 * price]);

  // Under the same key too, once a superadmin has raised it.
  await setRows(11);
  const again = await api.send('POST /api/data/serials', {
    token: user.token,
    body: { serials },
    headers: { 'idempotency-key': 'one' },
  });
  assert.equal(again.statusCode, 201, again.body);
  await setRows(null);
  const free = await upload(newSerials(1));
  assert.deepEqual([free.statusCode, 'budget_warning' in free.json()], [201, false]);
});

test('an order counts at its own price, and a budget of nothing refuses all', async () => {
  const owner = await createUser(api);
  const made = await api.send('POST /api/tickets', {
    token: superadmin.token,
    body: { data_count: 3, company_code: owner.companyCode },
  });
  const { _id, ticket_number } = made.json().ticket;
  await api.send(`PUT /api/tickets/${_id}`, {
    token: superadmin.token,
    body: { data_count: 3, discount: 50, current_dollar_price: 20_000 },
  });
  await setLimit(0, owner.companyCode);
  const order = { ticket_number };
  const serials = newSerials(3);
  assert.equal((await upload(serials, owner, order)).json().code, 'budget_exceeded');
  await setLimit(3000, owner.companyCode);
  const taken = await upload(serials, owner, order);
  assert.deepEqual(taken.json().budget_warning, { monthly_rupiah: 3000, used: 3000 });
});

test('imports at the same time cannot pass the budget together', async () => {
  const owner = await createUser(api);
  const { companyCode } = owner;
  // One import at a time is read for a user, so that only those of two users meet.
  const colleague = await createUser(api, { companyCode });
  await setLimit(3 * price, companyCode);
  const uploads = [owner, colleague, owner, colleague].map((who) => upload(newSerials(2), who));
  const statuses = (await Promise.all(uploads)).map(({ statusCode }) => statusCode);
  assert.deepEqual(statuses.toSorted(), [201, 409, 409, 409]);
  assert.equal((await read(owner, companyCode)).used, 2 * price);
});

test('a budget is read by superadmins and the users of its company, and set by superadmins alone', async () => {
  const stranger = await createUser(api);
  const admin = await createUser(api, { companyAdmin: true, companyCode: user.companyCode });
  const statusOf = async (who: TestUser, code = user.companyCode) =>
    (await api.send(`GET /api/budgets/${code}`, { token: who.token })).statusCode;
  assert.deepEqual(
    [await statusOf(user), await statusOf(admin), await statusOf(superadmin), await statusOf(stranger)],
    [200, 200, 200, 404],
  );
  assert.equal(await statusOf(superadmin, 'NONE999'), 404);
  assert.equal((await setLimit(1, 'NONE999')).statusCode, 404);
  assert.equal((await setLimit(1, user.companyCode, admin.token)).statusCode, 403);
  for (const limit of [-1, 1.5, '5', undefined]) assert.equal((await setLimit(limit)).statusCode, 400);
});

test('prices and rates of any size leave budgets readable', async () => {
  const owner = await createUser(api);
  await upload(newSerials(1), owner);
  await api.context.db.query(
    'UPDATE tickets SET price = 10000, current_dollar_price = 1000000000, total = 1000000 WHERE company_code = $1',
    [owner.companyCode],
  );
  assert.equal((await read(owner, owner.companyCode)).used, Number.MAX_SAFE_INTEGER);
});
