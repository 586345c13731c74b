import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readContracts } from '#tests/support/api/contracts.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock } from '#tests/support/database/race.ts';

let api: TestApi;
let user: TestUser;
let other: TestUser;
before(async () => {
  api = await createTestApi();
  [user, other] = [await createUser(api), await createUser(api)];
  for (const { companyCode, id } of [user, other]) {
    await createTicketWithRows(api, { companyCode, createdBy: id, rows: [{ state: 'done' }] });
  }
});
after(() => api.close());

const get = (path: string, { token } = user) => api.send(`GET /api${path}`, { token });
const heavy = ['/imei?q=35000', '/imei?counts=1', '/imei?sort=type', '/search?q=350000'];

test('cheap calls are answered while hundreds of heavy reads wait, and reads that wait too long get 429', async () => {
  const searches: ReturnType<typeof get>[] = [];
  await holdLock(api.context.db, ['LOCK TABLE serials IN ACCESS EXCLUSIVE MODE', []], async (letGo) => {
    for (let n = 0; n < 300; n++) searches.push(get(heavy[n % heavy.length] ?? ''));
    for (let round = 0; round < 5; round++) {
      const body = { email: other.email, password: other.password };
      const answers = await Promise.all([
        get('/tickets/last', other),
        get('/tickets/progress', other),
        get('/tickets/ticket-numbers', other),
        api.send('POST /api/auth/login', { body }),
      ]);
      for (const { statusCode } of answers) assert.equal(statusCode, 200);
    }
    const refused = await Promise.race(searches);
    assert.deepEqual([refused.statusCode, refused.json().code], [429, 'busy']);
    assert.equal(refused.headers['retry-after'], '5');
    await letGo();
  });
  const statuses = (await Promise.all(searches)).map(({ statusCode }) => statusCode);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
});

test('every call that filters many rows is declared heavy', async () => {
  const filters = (await readContracts()).filter(({ path, query, body, response }) => {
    // People are few beside rows and devices.
    if (path === '/users') return false;
    const shape = (body as { shape?: object } | undefined)?.shape ?? {};
    return response !== 'file' && (query?.shape.q !== undefined || ('filter' in shape && 'count' in shape));
  });
  const light = filters.filter(({ heavy }) => !heavy?.({ q: '35000' })).map(({ name }) => name);
  assert.deepEqual(light, []);
  assert.ok(filters.some(({ name }) => name === 'forgetDevices'));
});

test('a company with all of its slots in use leaves slots for other companies', async () => {
  const { slots, router } = api.app.heavyReads;
  const { db } = router.primary;
  const colleagues = [-1, -2].map((id) => ({ id, companyCode: user.companyCode, superadmin: false }));
  const held = await Promise.all(colleagues.map((one) => slots.take(db, one, AbortSignal.timeout(60_000))));
  // A heavy read uses up to three connections.
  const clients = await Promise.all(Array.from({ length: 6 }, () => db.connect()));
  const answer = await get('/imei?q=35000&counts=1', other);
  for (const giveBack of held) giveBack();
  for (const client of clients) client.release();
  assert.equal(answer.statusCode, 200);
});

test('a heavy read uses up to three connections', async (t) => {
  const admin = await createUser(api, { companyCode: user.companyCode, companyAdmin: true });
  const { db } = api.app.heavyReads.router.primary;
  const query = db.query.bind(db) as (asked: object) => Promise<unknown>;
  let running = 0;
  let most = 0;
  t.mock.method(db, 'query', async (asked: object) => {
    running += 1;
    most = Math.max(most, running);
    return query(asked).finally(() => {
      running -= 1;
    });
  });
  for (const path of ['/search?q=350000', '/devices/figures?values=1', '/devices?counts=1', ...heavy]) {
    most = 0;
    assert.equal((await get(path, admin)).statusCode, 200, path);
    assert.ok(most <= 3, `${path}: ${most}`);
  }
});

test('heavy writes take no slots of reads', async () => {
  const { slots, writeSlots, router } = api.app.heavyReads;
  const { db } = router.primary;
  const wait = () => AbortSignal.timeout(60_000);
  const callers = [user, other].map(({ companyCode }) => ({ id: -1, companyCode, superadmin: false }));
  const colleagues = callers.map((caller) => ({ ...caller, id: -2 }));
  const all = [...callers, ...colleagues];
  const writes = await Promise.all(all.map((caller) => writeSlots.take(db, caller, wait())));
  assert.equal((await get('/devices')).statusCode, 200);
  const reads = await Promise.all(all.map((caller) => slots.take(db, caller, wait())));
  for (const giveBack of writes) giveBack();
  const body = { filter: 'q=NONE', count: 0 };
  const answer = await api.send('POST /api/devices/forget', { token: user.token, body });
  for (const giveBack of reads) giveBack();
  assert.equal(answer.statusCode, 200, answer.body);
});

test('typing, counting and several open tabs cause no 429', async () => {
  const colleagues = [user];
  for (let n = 0; n < 4; n++) colleagues.push(await createUser(api, { companyCode: user.companyCode }));
  const answers = await Promise.all(
    colleagues.flatMap((one) => [...heavy, ...heavy].map((path) => get(path, one))),
  );
  for (const { statusCode } of answers) assert.equal(statusCode, 200);
});

test('a page in the order of the sheet does not wait for heavy reads', async () => {
  const caller = { id: user.id, companyCode: user.companyCode, superadmin: false };
  const { slots, router } = api.app.heavyReads;
  const { db } = router.primary;
  const giveBack = await slots.take(db, caller, AbortSignal.timeout(60_000));
  const answer = await get('/imei?page=1&limit=50&status=all');
  giveBack();
  assert.equal(answer.statusCode, 200);
});
