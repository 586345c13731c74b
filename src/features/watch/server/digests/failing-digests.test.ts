import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { queueDigests } from './queue-digests.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
  api.clock.set(new Date('2026-11-22T03:00:00Z'));
});
after(() => api.close());

const query = async (sql: string, ...values: unknown[]) => (await api.context.db.query(sql, values)).rows;

/** Creates a company with a watch whose digest is due at the next `runRound`, and with so many devices whose coverage ends. */
async function watchDevices(count: number): Promise<TestUser> {
  api.clock.set(new Date('2026-11-22T03:00:00Z'));
  const owner = await createUser(api);
  const watch = { active: true, cadence: 'weekly', day: 1, horizon_days: 30, language: 'en' };
  const body = { ...watch, receivers: ['ayu@example.test'] };
  const answer = await api.send(`PUT /api/watch/${owner.companyCode}`, { token: owner.token, body });
  assert.equal(answer.statusCode, 200, answer.body);
  await query(
    `INSERT INTO devices (company_code, serial, coverage_end_date, first_seen, last_checked, tickets)
     SELECT $1, 'S' || n, date '2026-11-23' + n % 3, now(), now(), '{1}' FROM generate_series(1, $2) AS n`,
    owner.companyCode,
    count,
  );
  return owner;
}
async function runRound(): Promise<void> {
  api.clock.set(new Date('2026-11-23T01:00:00Z'));
  await queueDigests(api.context).catch(() => undefined);
}
const countMails = async ({ companyCode }: TestUser) =>
  (await query('SELECT FROM watch_mails WHERE company_code = $1', companyCode)).length;

test('a digest that fails is tried again later, and stops no other company', async () => {
  const first = await watchDevices(1);
  const second = await watchDevices(1);
  await query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'too slow'; END $$`);
  await query(`CREATE TRIGGER fail BEFORE INSERT ON watch_mails FOR EACH ROW
    WHEN (NEW.company_code = '${first.companyCode}') EXECUTE FUNCTION fail()`);
  await runRound();
  assert.deepEqual([await countMails(first), await countMails(second)], [0, 1]);
  const readTry = () =>
    query(
      `SELECT attempts, round(extract(epoch FROM next_at - now()) / 60)::int AS minutes FROM put_off_work
       WHERE kind = 'digest' AND subject = $1`,
      first.companyCode,
    );
  const pass = () => query(`UPDATE put_off_work SET next_at = now()`);
  assert.deepEqual(await readTry(), [{ attempts: 1, minutes: 1 }]);
  await runRound();
  assert.deepEqual(await readTry(), [{ attempts: 1, minutes: 1 }]);
  await pass();
  await runRound();
  assert.deepEqual(await readTry(), [{ attempts: 2, minutes: 2 }]);
  await query('UPDATE put_off_work SET attempts = 100');
  await pass();
  await runRound();
  assert.deepEqual(await readTry(), [{ attempts: 101, minutes: 240 }]);
  await query('DROP TRIGGER fail ON watch_mails');
  await pass();
  await runRound();
  assert.deepEqual([await countMails(first), await readTry()], [1, []]);
});

test('the notices of a large company are inserted in slices', async () => {
  const owner = await watchDevices(20_001);
  await query(`CREATE FUNCTION limit_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM added) > 10000 THEN RAISE 'too many at once'; END IF; RETURN NULL; END $$`);
  await query(`CREATE TRIGGER limit_rows AFTER INSERT ON watch_notices REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION limit_rows()`);
  await runRound();
  const [mail] = await query('SELECT content FROM watch_mails WHERE company_code = $1', owner.companyCode);
  assert.match(JSON.stringify(mail?.content), /Coverage of 20,001 devices ends soon.*20,000/);
  const [notices] = await query(
    `SELECT count(*)::int AS count FROM watch_notices n JOIN devices d ON d.id = n.device_id AND d.coverage_end_date = n.ends_on
     WHERE d.company_code = $1`,
    owner.companyCode,
  );
  assert.deepEqual(notices, { count: 20_001 });
});
