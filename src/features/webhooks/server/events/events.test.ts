import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { closeCircuit, openCircuit } from '#features/sources/server/states/circuit.queries.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { waitFor } from '#tests/support/wait.ts';
import { listDeliveriesOf, storeWebhook } from '#tests/support/webhooks/stored-webhooks.ts';
import { noteDeviceChanges, publishDeviceChanges } from './device-changes.service.ts';
import { publishEvent } from './publish-event.service.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;
let stranger: TestUser;
before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
  user = await createUser(api);
  stranger = await createUser(api);
});
after(() => api.close());

const [serial = ''] = makeImeis(1);
const told = async (webhookId: number) =>
  (await listDeliveriesOf(api.context.db, webhookId)).map(({ event, data }) => [
    event,
    data.ticket_number ?? data.source ?? data.count,
  ]);
const countRows = async (table: string) =>
  (await api.context.db.query(`SELECT count(*) FROM ${table}`)).rows[0].count;

/** Makes a ticket whose device has been answered so, and registers it. */
async function answer(owner: TestUser, rows: { serial: string; end: string }[], day: number) {
  const { id, number } = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: rows.map((row) => ({ ...row, state: 'done' })),
  });
  await api.context.db.query('UPDATE serials SET fetched_at = $2 WHERE ticket_id = $1', [
    id,
    `2026-11-${day}T10:00:00Z`,
  ]);
  await registerSome(api.context.db);
  return number;
}

/** Publishes all changes. The API does so by itself too, every 2 seconds. */
const publishChanges = () =>
  waitFor('all changes to be told', async () => {
    await publishDeviceChanges(api.context.db, 'Asia/Jakarta');
    return (await countRows('webhook_device_changes')) === 0;
  });

test('without a webhook that listens, nothing is written', async () => {
  await storeWebhook(api.context.db, { companyCode: stranger.companyCode, events: ['device.changed'] });
  const { number } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    rows: [{}],
  });
  await api.send(`DELETE /api/data/${number}`, { token: user.token });
  await answer(user, [{ serial, end: '2026-12-01' }], 10);
  await answer(user, [{ serial, end: '2026-12-02' }], 11);
  assert.deepEqual(
    [await countRows('webhook_deliveries'), await countRows('webhook_device_changes')],
    [0, 0],
  );
});

test('every end of a ticket is sent to webhooks of its company and of superadmins, once, with its counts', async () => {
  const { db } = api.context;
  const events = ['ticket.completed', 'ticket.cancelled'];
  const own = await storeWebhook(db, { companyCode: user.companyCode, events });
  const every = await storeWebhook(db, { events });
  const foreign = await storeWebhook(db, { companyCode: stranger.companyCode, events });
  const make = () =>
    createTicketWithRows(api, {
      companyCode: user.companyCode,
      createdBy: user.id,
      rows: [{ state: 'done', activation: 'activated' }, {}],
      status: 'Processing',
    });
  const cancelled = await make();
  await api.send(`POST /api/tickets/${cancelled.id}/cancel`, { token: admin.token });
  await api.send(`POST /api/tickets/${cancelled.id}/cancel`, { token: admin.token });
  await api.send(`DELETE /api/data/${cancelled.number}`, { token: user.token });
  const emptied = await make();
  await api.send(`DELETE /api/data/${emptied.number}`, { token: user.token });
  const deleted = await make();
  await api.send(`DELETE /api/tickets/${deleted.id}`, { token: admin.token });
  await answer(user, [{ serial, end: '2026-12-02' }], 12);
  const known = await api.send('POST /api/data/serials', {
    token: user.token,
    body: { serials: [serial], fresh_days: 1_000_000 },
  });
  const { ticket } = known.json();
  assert.equal(ticket.status, 'Completed');
  const expected = [
    ['ticket.cancelled', cancelled.number],
    ['ticket.cancelled', emptied.number],
    ['ticket.cancelled', deleted.number],
    ['ticket.completed', ticket.ticket_number],
  ];
  assert.deepEqual(await told(own), expected);
  assert.deepEqual(await told(every), expected);
  assert.deepEqual(await told(foreign), []);
  const [first, second] = await listDeliveriesOf(db, own);
  assert.deepEqual(first?.data, {
    ticket_number: cancelled.number,
    company_code: user.companyCode,
    total: 2,
    done: 1,
    failed: 0,
    activated: 1,
    unactivated: 0,
    deleted: false,
  });
  assert.equal(second?.data.deleted, true);
});

test('an event is rolled back with its transaction, and an inactive webhook gets none', async () => {
  const { db } = api.context;
  const id = await storeWebhook(db, { events: ['invoice.issued'] });
  const { companyCode } = user;
  const invoice = { _id: '1', number: 'INV/2026/0001', month: '2026-10', total: 800, due_at: null };
  const data = { ...invoice, company_code: companyCode };
  const event = { type: 'invoice.issued', subject: 'invoice:1', data, path: '/' } as const;
  const failing = inTransaction(db, async (tx) => {
    await publishEvent(tx, { ...event, companyCode });
    throw new Error('no invoice');
  });
  await assert.rejects(failing, /no invoice/);
  await db.query('UPDATE webhooks SET active = false WHERE id = $1', [id]);
  await publishEvent(db, { ...event, companyCode });
  assert.deepEqual(await told(id), []);
});

test('real changes of devices are sent together by company, at most 1,000 in an event', async () => {
  const { db } = api.context;
  const owner = await createUser(api);
  const own = await storeWebhook(db, { companyCode: owner.companyCode, events: ['device.changed'] });
  const every = await storeWebhook(db, { events: ['device.changed'] });
  const rows = (end: string) => makeImeis(1001).map((one) => ({ serial: one, end }));
  await answer(owner, rows('2026-12-01'), 10);
  await answer(owner, rows('2026-12-01'), 11);
  await publishChanges();
  assert.deepEqual(await told(own), [], 'neither a first answer nor an equal one is a change');
  const number = await answer(owner, rows('2027-01-01'), 12);
  await answer(owner, rows('2026-12-01').slice(0, 3), 11);
  await answer(stranger, [{ serial, end: '2027-01-01' }], 12);
  await answer(stranger, [{ serial, end: '2027-02-01' }], 13);
  await publishChanges();
  const counts = [
    ['device.changed', 1000],
    ['device.changed', 1],
  ];
  assert.deepEqual(await told(own), counts);
  assert.deepEqual(await told(every), [...counts, ['device.changed', 1]]);
  const [delivery] = await listDeliveriesOf(db, own);
  assert.equal(delivery?.data.company_code, owner.companyCode);
  assert.partialDeepStrictEqual((delivery.data.devices as object[])[0], {
    serial_number: serial,
    ticket_number: number,
    changed_at: '2026-11-12T10:00:00.000Z',
  });
});

test('the link of changed devices begins with the day of the earliest change', async () => {
  const { db } = api.context;
  const owner = await createUser(api);
  const own = await storeWebhook(db, { companyCode: owner.companyCode, events: ['device.changed'] });
  const change = (serial: string, changed_at: string) => ({
    company_code: owner.companyCode,
    device_id: 1,
    serial,
    ticket_number: 1,
    changed_at: new Date(changed_at),
  });
  await inTransaction(db, (tx) =>
    noteDeviceChanges(tx, [
      change('LATER', '2026-11-12T17:00:01Z'),
      change('EARLIER', '2026-11-12T16:59:59Z'),
    ]),
  );
  await publishChanges();
  const { rows } = await db.query('SELECT path FROM webhook_deliveries WHERE webhook_id = $1', [own]);
  assert.match(rows[0].path, /changed_since=2026-11-12$/);
});

test('a source that goes down and comes back gives one event each, for superadmins only', async () => {
  const { db } = api.context;
  const events = ['source.down', 'source.up'];
  const every = await storeWebhook(db, { events });
  const own = await storeWebhook(db, { companyCode: user.companyCode, events });
  await syncSources(db, [{ name: 'shop', key: '1' }]);
  const failure = { cause: 'quota', error: 'used up', waitMs: 0 } as const;
  const resume = () => inTransaction(db, (tx) => closeCircuit(tx, 'shop', { by: 'hand' }));
  await openCircuit(db, 'shop', failure);
  await openCircuit(db, 'shop', failure);
  await resume();
  await resume();
  await openCircuit(db, 'shop', failure);
  await syncSources(db, [{ name: 'shop', key: '2' }]);
  await syncSources(db, [{ name: 'shop', key: '3' }]);
  assert.deepEqual(await told(every), [
    ['source.down', 'shop'],
    ['source.up', 'shop'],
    ['source.down', 'shop'],
    ['source.up', 'shop'],
  ]);
  assert.deepEqual((await listDeliveriesOf(db, every))[0]?.data, { source: 'shop', cause: 'quota' });
  assert.deepEqual(await told(own), []);
});
