import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

const slice = 5000;
const count = slice + 2;

/** Makes a user whose company has the devices `S10001`, `S10002`, … */
async function createOwner(): Promise<TestUser> {
  const owner = await createUser(api);
  await api.context.db.query(
    `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets)
     SELECT $1, 'S' || 10000 + n, now(), now(), '{1}' FROM generate_series(1, $2::integer) n ORDER BY n DESC`,
    [owner.companyCode, count],
  );
  return owner;
}
const forget = ({ token }: TestUser, filter = '') =>
  api.send('POST /api/devices/forget', { token, body: { filter, count } });
async function listSerials({ companyCode }: TestUser): Promise<string[]> {
  const { rows } = await api.context.db.query<{ serial: string }>(
    'SELECT serial FROM devices WHERE company_code = $1 ORDER BY serial',
    [companyCode],
  );
  return rows.map(({ serial }) => serial);
}

test('devices are listed and forgotten in slices, without those that were added after they were counted', async (t) => {
  const owner = await createOwner();
  const other = await createOwner();
  const { db } = api.app.heavyReads.router.primary;
  const query = db.query.bind(db);
  const sizes: number[] = [];
  t.mock.method(db, 'query', async (asked: string) => {
    const answer = await query(asked);
    // After the first slice, devices are added that pass the filter, at both ends of its order.
    await api.context.db.query(
      `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets)
       SELECT $1, serial, now(), now(), '{2}' FROM unnest('{A,Z}'::text[]) serial
       WHERE EXISTS (SELECT FROM devices WHERE company_code = $1 HAVING count(*) < $2) ON CONFLICT DO NOTHING`,
      [owner.companyCode, count],
    );
    sizes.push(answer.rows.length);
    return answer;
  });
  const answer = await forget(owner);
  assert.equal(answer.statusCode, 200, answer.body);
  assert.equal(answer.json().message, `Devices forgotten: ${count}`);
  assert.deepEqual(await listSerials(owner), ['A', 'Z']);
  assert.equal((await listSerials(other)).length, count);
  assert.equal(Math.max(...sizes), slice);
});

test('a failure of the database after the first slice tells how many devices are forgotten', async () => {
  const owner = await createOwner();
  const { db } = api.context;
  await db.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'stopped' USING ERRCODE = 'deadlock_detected'; END $$;
    CREATE TRIGGER fail BEFORE DELETE ON devices FOR EACH ROW WHEN (OLD.serial = 'S15002') EXECUTE FUNCTION fail()`);
  const answer = await forget(owner, 'never_covered=true');
  await db.query('DROP FUNCTION fail CASCADE');
  assert.equal(answer.statusCode, 503, answer.body);
  assert.equal(answer.json().code, 'partly_forgotten');
  assert.match(answer.json().message, /^5000 of 5002 devices were forgotten/);
  assert.ok(answer.headers['retry-after']);
  assert.deepEqual(await listSerials(owner), ['S15001', 'S15002']);
});
