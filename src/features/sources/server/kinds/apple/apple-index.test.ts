import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createLog } from '#server/runtime/log.ts';
import {
  appleDeviceFound,
  makeAppleDevice,
  type Organisation,
  startOrganisation,
} from '#tests/support/sources/apple-organisation.ts';
import { appleAccount } from '#tests/support/sources/apple-stand-in.ts';
import { waitFor } from '#tests/support/wait.ts';
import { createDeviceIndex } from './apple-index.ts';

let organisation: Organisation;
beforeEach(async () => {
  organisation = await startOrganisation();
});
afterEach(() => organisation.close());

const indexPages = () => organisation.apple.count('/orgDevices');
const age = (interval: string) =>
  organisation.database.pool.query(`UPDATE apple_indexes SET completed_at = now() - interval '${interval}'`);

test('indexes the organisation once, then asks for the agreements of each device by IMEI, MEID or serial', async () => {
  const source = await organisation.open();
  for (const cell of ['F17XK1ABC01', '353901102345677', '354817664998779', 'A10000009296F2', 'F17XK1ABC07']) {
    assert.deepEqual(await source.ask(cell), appleDeviceFound, cell);
  }
  assert.deepEqual(await source.ask('F17XK1ABC99'), { is: 'not_found' });
  await source.close();
  assert.equal(indexPages(), 3);
  assert.equal(organisation.apple.count('/D2/appleCareCoverage'), 2);
  assert.deepEqual(organisation.apple.problems, []);
  const again = await organisation.open();
  assert.deepEqual(await again.ask('F17XK1ABC05'), appleDeviceFound);
  await again.close();
  assert.deepEqual([indexPages(), organisation.apple.count('/token')], [3, 1]);
});

test('workers share the token and build the index one at a time', async () => {
  const workers = await Promise.all([organisation.open(), organisation.open(), organisation.open()]);
  const outcomes = await Promise.all(workers.map((worker) => worker.ask('F17XK1ABC07')));
  for (const outcome of outcomes) assert.deepEqual(outcome, appleDeviceFound);
  assert.deepEqual([organisation.apple.count('/token'), indexPages()], [1, 3]);
  for (const worker of workers) await worker.close();
  assert.deepEqual(organisation.apple.problems, []);
});

test('continues at the page where the last worker stopped or died', async () => {
  const page = { status: 403, body: {} };
  const source = await organisation.open();
  // The second page is refused. The first page stays stored, and the lease is released at once.
  organisation.apple.interrupt(
    '/orgDevices',
    { body: { data: [], links: { next: 'https://x/?cursor=3' } } },
    page,
  );
  assert.equal((await source.ask('F17XK1ABC07')).is, 'auth');
  assert.deepEqual(await source.ask('F17XK1ABC07'), appleDeviceFound);
  const cursors = organisation.apple.received.filter(({ path }) => path.endsWith('/orgDevices'));
  assert.deepEqual(
    cursors.map(({ query }) => query.get('cursor')),
    [null, '3', '3', '6'],
  );
  // A dead worker holds the lease until it expires.
  await age('2 days');
  await organisation.database.pool.query(
    "UPDATE apple_indexes SET builder = gen_random_uuid(), builder_until = now() - interval '1 second', next_page = 'cursor=6'",
  );
  assert.deepEqual(await source.ask('F17XK1ABC98'), { is: 'not_found' });
  assert.equal(indexPages(), 5);
  await source.close();
});

test('starts again if Apple no longer accepts the page', async () => {
  await organisation.database.pool.query(
    `INSERT INTO apple_indexes (account, next_page) VALUES ('${organisation.apple.url}/v1 ${appleAccount.client_id}', 'cursor=old')`,
  );
  organisation.apple.interrupt('/orgDevices', {
    status: 400,
    body: { errors: [{ code: 'PARAMETER_ERROR.INVALID' }] },
  });
  const source = await organisation.open();
  assert.deepEqual(await source.ask('F17XK1ABC01'), appleDeviceFound);
  assert.equal(indexPages(), 4);
  await source.close();
});

test('a failed page is requested again after the wait that Apple asks for', async () => {
  organisation.apple.interrupt(
    '/orgDevices',
    { status: 429, headers: { 'retry-after': '0' }, body: {} },
    { status: 429, headers: { 'retry-after': '0' }, body: {} },
  );
  const source = await organisation.open();
  assert.deepEqual(await source.ask('F17XK1ABC07'), appleDeviceFound);
  assert.equal(indexPages(), 5);
  await source.close();
});

test('an outdated index still finds its devices while it is rebuilt, and missing devices wait for the new index', async () => {
  const source = await organisation.open();
  await source.ask('F17XK1ABC01');
  await age('25 hours');
  organisation.apple.devices.push(makeAppleDevice(8));
  organisation.apple.devices.splice(5, 1);
  assert.deepEqual(await source.ask('F17XK1ABC01'), appleDeviceFound);
  await waitFor('the new index', async () => indexPages() === 6);
  assert.deepEqual(await source.ask('F17XK1ABC08'), appleDeviceFound);
  assert.deepEqual(await source.ask('F17XK1ABC06'), { is: 'not_found' });
  await age('25 hours');
  organisation.apple.devices.push(makeAppleDevice(9));
  assert.deepEqual(await source.ask('F17XK1ABC09'), appleDeviceFound);
  await source.close();
});

test('completing an index does not change the index of another organisation', async () => {
  const { pool } = organisation.database;
  await pool.query(
    `INSERT INTO apple_devices (account, identifier, generation, device_id, model, ordered)
     VALUES ('another', 'F17XK1ABC01', 0, 'D1', NULL, NULL)`,
  );
  const source = await organisation.open();
  await source.ask('F17XK1ABC01');
  await source.close();
  const { rows } = await pool.query("SELECT device_id FROM apple_devices WHERE account = 'another'");
  assert.deepEqual(rows, [{ device_id: 'D1' }]);
});

test('a call that waits too long for the worker that builds the index does not find the source, and later ones find the device', async () => {
  const { db, pool } = organisation.database;
  await pool.query(`INSERT INTO apple_indexes (account, builder, builder_until)
    VALUES ('foreign', gen_random_uuid(), now() + interval '330 seconds')`);
  const device = { deviceId: 'D1', model: null, ordered: null };
  const index = createDeviceIndex({
    db,
    log: createLog('test', 'silent'),
    account: 'foreign',
    fetchPage: async () => ({ devices: [{ ...device, identifier: 'F17XK1ABC01' }], next: null }),
    maxWaitMs: 300,
  });
  const error = 'the index of devices is still being built';
  assert.deepEqual(await index.find('F17XK1ABC01'), { is: 'unreachable', error });
  // The other worker has died, and the database's clock was set back since, so this one builds.
  await pool.query("UPDATE apple_indexes SET builder_until = now() + interval '2 hours'");
  await waitFor('the index', async () => {
    const { rows } = await pool.query("SELECT completed_at FROM apple_indexes WHERE account = 'foreign'");
    return rows[0]?.completed_at !== null;
  });
  assert.deepEqual(await index.find('F17XK1ABC01'), device);
  await index.close();
});
