import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createCompany,
  createTicketWithRows,
  createUser,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { createOldDatabase } from '#tests/support/database/database.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';
import { countDevices } from '../devices.queries.ts';
import { forgetUncheckedDevices } from '../forgetting/forget-devices.ts';
import { registerTicket } from '../registration/register-devices.ts';
import { countAllDevices } from './device-counts.queries.ts';

let api: TestApi;
let admin: TestUser;
before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

/** Lists the kept counts that differ from those of the devices. */
async function listWrong(db: Pick<TestApi['context']['db'], 'query'> = api.context.db): Promise<object[]> {
  const { rows } = await db.query(
    `WITH counted AS (
       SELECT coalesce(company_code, '') AS company_code, activation_status, coverage_end_date, count(*) AS devices FROM devices
       GROUP BY activation_status, coverage_end_date, ROLLUP (company_code)),
     kept AS (SELECT * FROM device_counts WHERE devices <> 0)
     (SELECT * FROM kept EXCEPT SELECT * FROM counted) UNION ALL (SELECT * FROM counted EXCEPT SELECT * FROM kept)`,
  );
  return rows;
}

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

/** Makes a ticket with random results about twenty devices. @returns its id, number and a function that registers it */
async function check({ companyCode, id: createdBy }: TestUser) {
  const serials = Array.from({ length: 20 }, (_, n) => `DEVICE${n}`).filter(() => randomInt(2) === 1);
  const rows = serials.map((serial) => ({
    state: 'done' as const,
    serial,
    activation: pick(['activated', 'unactivated', null] as const),
    end: pick(['2026-01-31', '2027-01-31', null]),
  }));
  const ticket = await createTicketWithRows(api, { companyCode, createdBy, status: 'Completed', rows });
  const at = new Date(Date.now() - randomInt(100) * 86_400_000);
  await api.context.db.query('UPDATE serials SET fetched_at = $2 WHERE ticket_id = $1', [ticket.id, at]);
  return { ...ticket, register: () => registerTicket(api.context.db, ticket.id) };
}

async function send(call: string, { token }: TestUser, body?: object): Promise<void> {
  const { statusCode, body: answer } = await api.send(call, { token, ...(body && { body }) });
  // Another call may have forgotten the devices, or changed their number.
  assert.ok([200, 404, 409].includes(statusCode), `${call}: ${answer}`);
}

/** Forgets all devices, or those that pass a filter. */
async function forget(owner: TestUser, filter: string): Promise<void> {
  const { pagination } = (await api.send(`GET /api/devices?${filter}`, { token: owner.token })).json();
  await send('POST /api/devices/forget', owner, { filter, count: pagination.totalItems });
}

async function forgetOne(owner: TestUser): Promise<void> {
  const { data } = (await api.send('GET /api/devices', { token: owner.token })).json();
  if (data.length > 0) await send(`DELETE /api/devices/${pick<{ _id: string }>(data)._id}`, owner);
}

const work: ((owner: TestUser) => Promise<unknown>)[] = [
  ...Array.from({ length: 4 }, () => async (owner: TestUser) => (await check(owner)).register()),
  forgetOne,
  (owner) => forget(owner, 'activation=unknown'),
  (owner) => forget(owner, ''),
  async (owner) => send(`DELETE /api/tickets/${(await check(owner)).id}?forget_devices=true`, admin),
  () => forgetUncheckedDevices(api.context.db, 50),
];

test('the counts stay right whatever adds, changes or deletes devices', async () => {
  const owners = [await createUser(api), await createUser(api)];
  for (let round = 0; round < 40; round++) {
    await pick(work)(pick(owners));
    assert.deepEqual(await listWrong(), []);
  }
});

test('the counts stay right when devices are added, changed and deleted at the same time', async () => {
  const owners = [await createUser(api), await createUser(api), await createUser(api)];
  for (let round = 0; round < 8; round++) {
    await Promise.all([...work, ...work].map((one) => one(pick(owners))));
    assert.deepEqual(await listWrong(), []);
  }
});

test('a company is deleted while its devices are forgotten, without a deadlock and without its counts', async () => {
  const { db } = api.context;
  const companyCode = await createCompany(api);
  await db.query(
    `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets) VALUES ($1, 'LAST1', now(), now(), '{1}')`,
    [companyCode],
  );
  const { rows } = await db.query('SELECT id FROM clients WHERE company_code = $1', [companyCode]);
  const body = { filter: `company_code=${companyCode}`, count: 1 };
  const { token } = admin;
  const ends = await raceForLock(
    db,
    ["SELECT FROM devices WHERE serial = 'LAST1' FOR UPDATE", []],
    [
      () => api.send('POST /api/devices/forget', { token, body }),
      () => api.send(`DELETE /api/clients/${rows[0].id}`, { token }),
    ],
  );
  assert.deepEqual(
    ends.map(({ statusCode }) => statusCode),
    [200, 200],
  );
  assert.deepEqual(await listWrong(), []);
  const kept = await db.query('SELECT FROM device_counts WHERE company_code = $1', [companyCode]);
  assert.equal(kept.rows.length, 0);
});

test('a migration counts the devices of earlier releases', async () => {
  const { pool, migrate, close } = await createOldDatabase(265);
  try {
    await pool.query(
      `INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001'), ('Bintang', 'BIN001');
       INSERT INTO devices (company_code, serial, activation_status, coverage_end_date, first_seen, last_checked, tickets) VALUES
         ('ACM001', 'A', 'activated', '2026-11-20', now(), now(), '{1}'), ('BIN001', 'A', 'activated', '2026-11-20', now(), now(), '{2}'),
         ('ACM001', 'B', NULL, NULL, now(), now(), '{1}')`,
    );
    await migrate();
    assert.deepEqual(await listWrong(pool), []);
    const { rows } = await pool.query(
      "SELECT sum(devices)::int AS all FROM device_counts WHERE company_code = ''",
    );
    assert.equal(rows[0].all, 3);
  } finally {
    await close();
  }
});

test('the counts of whole companies read no devices', async () => {
  const { db } = api.context;
  const owner = await createUser(api);
  const { register } = await check(owner);
  await register();
  const client = await db.connect();
  try {
    const countReads = async () => {
      await client.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await client.query<{ reads: number }>(
        `SELECT (SELECT sum(idx_scan) FROM pg_stat_user_indexes WHERE relname = 'devices') + seq_scan AS reads
         FROM pg_stat_user_tables WHERE relname = 'devices'`,
      );
      return Number(rows[0]?.reads);
    };
    for (const scope of [null, owner.companyCode]) {
      const scopedQuery = { scope, today: '2026-11-25', timeZone: 'UTC' };
      // The statistics are of the whole database, in which the register may be at work.
      await waitFor('counts while nobody else reads devices', async () => {
        const reads = await countReads();
        assert.ok((await countDevices(client, scopedQuery)) > 0);
        assert.ok(
          (await countAllDevices.one(client, { scope, companyCode: null, today: scopedQuery.today })).all > 0,
        );
        return (await countReads()) === reads;
      });
    }
  } finally {
    client.release();
  }
});
