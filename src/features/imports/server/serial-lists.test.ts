import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { importSettings } from './imports.service.ts';
import { ImportThreads } from './reading/import-threads.ts';

const [first = '', second = ''] = makeImeis(2);

let api: TestApi;
let user: TestUser;
let admin: TestUser;
before(async () => {
  api = await createTestApi({ MAX_UPLOAD_ROWS: '50' });
  user = await createUser(api);
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const send = (body: unknown, key?: string, { token } = user) =>
  api.send('POST /api/data/serials', {
    token,
    body,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

test('a list of texts becomes a ticket as a sheet would', async () => {
  const answer = await send({
    serials: ['IMEI', ` ${first}`, '', first, 'unknown', second],
    name: ' Desk \u202e1/2\u0007 ',
  });
  assert.equal(answer.statusCode, 201, answer.body);
  const { ticket, duplicates, invalid, ...counts } = answer.json();
  assert.deepEqual(counts, {
    message: `Successfully imported 3 records. Ticket: ${ticket.ticket_number}`,
    imported_count: 3,
    invalid_count: 1,
    duplicate_count: 1,
    known_count: 0,
    header_skipped: true,
  });
  assert.deepEqual(duplicates, [{ row: 4, serial: first, first_row: 2 }]);
  assert.deepEqual(invalid, [{ row: 5, value: 'unknown', reason: 'Not an IMEI, MEID or serial number' }]);
  assert.deepEqual([ticket.file_name, ticket.company_code, ticket.total], ['Desk 1/2', user.companyCode, 3]);
  const report = await api.send(`GET /api/data/${ticket.ticket_number}/report`, user);
  assert.equal(report.statusCode, 200);
});

test('a list of up to 1,000 short texts is imported without a thread', async (t) => {
  const unlimited = await createTestApi();
  t.after(() => unlimited.close());
  const { token } = await createUser(unlimited);
  let threads = 0;
  const note = () => {
    threads += 1;
  };
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  const serials = makeImeis(6000);
  for (const [list, count, expected] of [
    [serials.slice(0, 1000), 1000, 0],
    [serials.slice(0, 1001), 1001, 1],
    [[0, 2000, 4000].map((from) => serials.slice(from, from + 2000).join(',')), 6000, 2],
  ] as const) {
    const answer = await unlimited.send('POST /api/data/serials', { token, body: { serials: list } });
    assert.equal(answer.json().imported_count, count, answer.body);
    assert.equal(threads, expected);
  }
});

test('a short list whose caller leaves before its commit stores nothing', async () => {
  const leaving = new AbortController();
  const imports = new ImportThreads(api.context);
  const { config, databaseUrl, db } = api.context;
  const task = {
    source: { kind: 'texts' as const, texts: [first] },
    ...importSettings(config),
    ...{ databaseUrl, companyCode: user.companyCode ?? '', locale: 'en' as const },
    ...{ fileName: 'left', caller: null, ticketNumber: null, key: null, ownKey: null, freshDays: null },
    ...{ askAgain: false, origin: { actor: null, token: null, address: null } },
  };
  const run = imports.run(task, leaving.signal, ({ phase }) => {
    if (phase === 'saving') leaving.abort(new Error('left'));
  });
  await assert.rejects(run, /^Error: left$/);
  await imports.drain();
  assert.equal((await db.query("SELECT FROM tickets WHERE file_name = 'left'")).rowCount, 0);
});

test('a list without a name is not taken for an order that waits for its rows', async () => {
  const { ticket } = (await send({ serials: [first] })).json();
  assert.deepEqual([ticket.file_name, ticket.imported], [null, true]);
});

test('a list that asks again reuses no answer from before its import', async () => {
  const answersFrom = async (body: object, key?: string) => {
    const answer = await send({ serials: [first], ...body }, key);
    assert.equal(answer.statusCode, 201, answer.body);
    const { rows } = await api.context.db.query(
      'SELECT answers_from >= imported_at AS since FROM tickets WHERE ticket_number = $1',
      [answer.json().ticket.ticket_number],
    );
    return rows[0].since;
  };
  assert.equal(await answersFrom({}), null);
  assert.equal(await answersFrom({ ask_again: true }, 'again'), true);
  assert.equal((await send({ serials: [first] }, 'again')).statusCode, 422);
});

test('a list with entries that are not texts is refused with the first of them alone', async () => {
  const detailOf = async (serials: unknown[]) => {
    const answer = await send({ serials });
    assert.equal(answer.statusCode, 400, answer.body.slice(0, 200));
    assert.equal(answer.json().details.length, 1);
    return answer.json().details[0];
  };
  const path = 'serials.1';
  assert.deepEqual(await detailOf([first, ...Array(100_000).fill(1)]), {
    path,
    message: 'serials.1 must be of type string',
  });
  assert.deepEqual(await detailOf([first, 'x'.repeat(32_768), null]), {
    path,
    message: 'serials.1 must be at most 32767 characters long',
  });
});

test('a refused entry with values of own columns says which part of it is wrong', async () => {
  for (const [entry, message] of [
    [{ fields: {} }, 'serials.1.serial is required'],
    [{ serial: 7 }, 'serials.1.serial must be of type string'],
    [{ serial: 'x'.repeat(32_768) }, 'serials.1.serial must be at most 32767 characters long'],
    [{ serial: first, site: 'Solo' }, 'serials.1.site is not valid'],
    [{ serial: first, fields: 'Solo' }, 'serials.1.fields must be of type record'],
    [{ serial: first, fields: null }, 'serials.1.fields must be of type record'],
    [{ serial: first, fields: ['Solo'] }, 'serials.1.fields must be of type record'],
    [{ serial: first, fields: { site: 7 } }, 'serials.1.fields.site must be of type string'],
    [
      { serial: first, fields: { site: 'x'.repeat(32_768) } },
      'serials.1.fields.site must be at most 32767 characters long',
    ],
  ] as const) {
    const answer = await send({ serials: [second, entry, 7] });
    assert.equal(answer.statusCode, 400, answer.body.slice(0, 200));
    const path = message.split(' ')[0];
    assert.deepEqual(answer.json().details, [{ path, message }]);
  }
});

test('the keys of an entry are counted before their values are validated', async () => {
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, nth) => [`k${nth}`, 7]));
  const answer = await send({ serials: [{ serial: first, fields }] });
  assert.equal(answer.statusCode, 400, answer.body.slice(0, 200));
  const message = 'serials.0.fields must be at most 10';
  assert.deepEqual(answer.json().details, [{ path: 'serials.0.fields', message }]);
});

test('a list fills an order of the company', async () => {
  const order = await api.send('POST /api/tickets', {
    token: admin.token,
    body: { data_count: 2, company_code: user.companyCode },
  });
  const { ticket_number } = order.json().ticket;
  const answer = await send({ serials: [first], ticket_number });
  assert.equal(answer.json().ticket.ticket_number, ticket_number);
  assert.equal((await send({ serials: [first], ticket_number })).statusCode, 409);
  const stranger = await createUser(api);
  assert.equal((await send({ serials: [first], ticket_number }, undefined, stranger)).statusCode, 404);
});

test('a repeat under a key gets the first answer, and another list is refused', async () => {
  const answer = await send({ serials: [first] }, 'once');
  assert.equal((await send({ serials: [first] }, 'once')).body, answer.body);
  assert.equal((await send({ serials: [second] }, 'once')).statusCode, 422);
});

test('a list is refused as a sheet would be', async () => {
  assert.equal((await send({ serials: [first] }, undefined, admin)).statusCode, 403);
  const none = await send({ serials: ['no serial', 'here'] });
  assert.equal(none.statusCode, 422);
  assert.deepEqual(none.json().details[0].path, 'serials.1');
  assert.equal((await send({ serials: [] })).statusCode, 422);
  assert.equal((await send({ serials: makeImeis(51) })).statusCode, 413);
  for (const body of [{}, { serials: first }, { serials: [1] }, { serials: ['x'.repeat(32_768)] }]) {
    assert.equal((await send(body)).statusCode, 400);
  }
  assert.equal((await send({ serials: ['x'.repeat(17 * 1024 * 1024)] })).statusCode, 413);
});
