import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/api/factories.ts';
import { withoutLoops } from '#tests/support/api/without-loops.ts';
import { waitFor } from '#tests/support/wait.ts';
import { deleteMarkedRows, markRowDeletion, resumeRowDeletions } from './row-deletions.service.ts';

let api: TestApi;
let ticketId: number;

before(async () => {
  api = await withoutLoops(() => createTestApi());
  const user = await createUser(api);
  const { id } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Cancelled',
    rows: Array.from({ length: 25_000 }, (_, index) => (index % 2 ? { state: 'done' } : {})),
  });
  ticketId = id;
});
after(() => api.close());

const countRows = async (condition: string) => {
  const { rows } = await api.context.db.query<{ count: number }>(
    `SELECT count(*) FROM serials WHERE ticket_id = $1 AND ${condition}`,
    [ticketId],
  );
  return rows[0]?.count;
};
const flag = async (name: string) => {
  await api.context.db.query(`UPDATE tickets SET ${name} = true WHERE id = $1`, [ticketId]);
  await markRowDeletion.run(api.context.db, { ticketId, forgetsDevices: false });
};

test('deleting uploaded rows deletes the rows without a result', async () => {
  await flag('serial_deleted');
  await deleteMarkedRows(api.context, ticketId);
  assert.equal(await countRows("state = 'done'"), 12_500);
  assert.equal(await countRows('true'), 12_500);
});

test('the next start finishes an interrupted deletion, also with two processes at once', async () => {
  await flag('coverage_deleted');
  await Promise.all([
    resumeRowDeletions(api.context.db, api.context.log),
    deleteMarkedRows(api.context, ticketId),
  ]);
  assert.equal(await countRows('true'), 0);
  const { rows } = await api.context.db.query('SELECT FROM row_deletions');
  assert.equal(rows.length, 0);
});

test('deleting from a ticket without rows, or without a marked deletion, does nothing', async () => {
  await flag('coverage_deleted');
  await deleteMarkedRows(api.context, ticketId);
  await deleteMarkedRows(api.context, ticketId);
  const { rows } = await api.context.db.query('SELECT FROM row_deletions');
  assert.equal(rows.length, 0);
});

test('an interrupted deletion is finished even when the database fails at the start', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const starting = await createTestApi({}, log);
  const { db } = starting.context;
  try {
    await db.query('ALTER TABLE row_deletions RENAME TO row_deletions_away');
    const user = await createUser(starting);
    await waitFor(
      'a failure',
      async () => lines.some((line) => line.includes('could not be finished yet')),
      30_000,
    );
    const { id } = await createTicketWithRows(starting, {
      companyCode: user.companyCode,
      createdBy: user.id,
      status: 'Cancelled',
      rows: [{}],
    });
    await db.query('UPDATE tickets SET serial_deleted = true WHERE id = $1', [id]);
    await db.query('INSERT INTO row_deletions_away (ticket_id) VALUES ($1)', [id]);
    await db.query('ALTER TABLE row_deletions_away RENAME TO row_deletions');
    await waitFor(
      'the deletion',
      async () => (await db.query('SELECT FROM serials WHERE ticket_id = $1', [id])).rowCount === 0,
      30_000,
    );
  } finally {
    await starting.close();
  }
});

test('many concurrent deletions leave connections for other work', async () => {
  const { db } = api.context;
  const user = await createUser(api);
  const tickets = await Promise.all(
    Array.from({ length: 25 }, () =>
      createTicketWithRows(api, {
        companyCode: user.companyCode,
        createdBy: user.id,
        status: 'Cancelled',
        rows: [{}, {}],
      }),
    ),
  );
  const ids = tickets.map(({ id }) => id);
  const countMarked = async () => {
    const { rows } = await holder.query('SELECT FROM row_deletions WHERE ticket_id = ANY($1)', [ids]);
    return rows.length;
  };
  const holder = new pg.Client({ connectionString: api.context.databaseUrl });
  await holder.connect();
  try {
    // Each deletion waits for a locked row of its ticket, as it would for a slow disk.
    await holder.query('BEGIN');
    await holder.query('SELECT FROM serials WHERE ticket_id = ANY($1) AND position = 2 FOR UPDATE', [ids]);
    const answers = tickets.map(({ number }) =>
      api.send(`DELETE /api/data/${number}`, { token: user.token }),
    );
    await waitFor('all deletions to have begun', async () => (await countMarked()) === 25, 30_000);
    const inUse = () => db.totalCount - db.idleCount;
    await waitFor(
      'the deletions to wait without the connections of others',
      async () => inUse() <= 2,
      30_000,
    );
    const { email, password } = user;
    const signedIn = await api.send('POST /api/auth/login', { body: { email, password } });
    assert.equal(signedIn.statusCode, 200);
    const first = await Promise.race(answers);
    assert.equal(first.statusCode, 200, 'a call does not wait for the deletions of others');
    await holder.query('COMMIT');
    for (const answer of await Promise.all(answers)) assert.equal(answer.statusCode, 200);
    await resumeRowDeletions(db, api.context.log);
    const { rows } = await db.query('SELECT FROM serials WHERE ticket_id = ANY($1)', [ids]);
    assert.equal(rows.length, 0);
  } finally {
    await holder.end();
  }
});

test('the rows of a deleted ticket are deleted after it, also after a crash', async () => {
  const { db } = api.context;
  const user = await createUser(api);
  const rows = [{}, { state: 'failed' as const, reason: 'Invalid serial number' }];
  const { id } = await createTicketWithRows(api, { companyCode: user.companyCode, createdBy: user.id, rows });
  await db.query("INSERT INTO duplicates (ticket_id, sheet_row, serial, first_row) VALUES ($1, 9, 'S', 2)", [
    id,
  ]);
  await db.query('UPDATE serials SET kind = NULL WHERE ticket_id = $1 AND position = 2', [id]);
  await markRowDeletion.run(db, { ticketId: id, forgetsDevices: false });
  await db.query('DELETE FROM tickets WHERE id = $1', [id]);
  await resumeRowDeletions(db, api.context.log);
  for (const table of ['serials', 'duplicates', 'row_deletions']) {
    const left = await db.query(`SELECT FROM ${table} WHERE ticket_id = $1`, [id]);
    assert.equal(left.rowCount, 0, table);
  }
});

test('a deletion that fails is logged with its ticket, and stops no other', async () => {
  const { db } = api.context;
  const user = await createUser(api);
  const ids: number[] = [];
  for (let nth = 0; nth < 3; nth++) {
    const { id } = await createTicketWithRows(api, {
      companyCode: user.companyCode,
      createdBy: user.id,
      status: 'Cancelled',
      rows: [{}],
    });
    ids.push(id);
    await db.query('UPDATE tickets SET serial_deleted = true WHERE id = $1', [id]);
  }
  const refused = ids.slice(0, 2);
  await db.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
     CREATE TRIGGER refused BEFORE DELETE ON serials FOR EACH ROW
       WHEN (OLD.ticket_id IN (${refused.join()})) EXECUTE FUNCTION refuse()`,
  );
  for (const id of ids) await markRowDeletion.run(db, { ticketId: id, forgetsDevices: false });
  const lines: string[] = [];
  await resumeRowDeletions(db, pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }));
  await db.query('DROP TRIGGER refused ON serials');
  assert.deepEqual(lines.map((line) => JSON.parse(line).ticketId).sort(), refused);
  const { rows } = await db.query('SELECT ticket_id FROM serials WHERE ticket_id = ANY ($1)', [ids]);
  assert.deepEqual(rows.map(({ ticket_id }) => ticket_id).sort(), refused);
});

test('a deletion whose rows cannot be deleted yet answers 200, and shows none of them', async () => {
  const { db } = api.context;
  const admin = await createUser(api, { superadmin: true });
  const { companyCode, id: createdBy } = await createUser(api);
  const make = () =>
    createTicketWithRows(api, { companyCode, createdBy, status: 'Cancelled', rows: [{}, { state: 'done' }] });
  const [whole, uploaded, results] = [await make(), await make(), await make()];
  const ids = [whole.id, uploaded.id, results.id];
  const send = (request: string) => api.send(request, { token: admin.token });
  await db.query(
    `CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
     CREATE TRIGGER refused_all BEFORE DELETE OR UPDATE ON serials FOR EACH ROW
       WHEN (OLD.ticket_id IN (${ids.join()})) EXECUTE FUNCTION refuse_all()`,
  );
  try {
    for (const request of [
      `DELETE /api/tickets/${whole.id}`,
      `DELETE /api/data/${uploaded.number}`,
      `DELETE /api/imei/${results.number}`,
    ]) {
      const answer = await send(request);
      assert.equal(answer.statusCode, 200, `${request}: ${answer.body}`);
    }
    assert.equal((await send(`DELETE /api/tickets/${whole.id}`)).statusCode, 404);
    assert.deepEqual((await send(`GET /api/data/${uploaded.number}`)).json().data, []);
    assert.deepEqual((await send(`GET /api/imei?ticket_number=${results.number}`)).json().data, []);
  } finally {
    await db.query('DROP TRIGGER refused_all ON serials');
  }
  await resumeRowDeletions(db, api.context.log);
  const { rows } = await db.query(
    'SELECT ticket_id, state FROM serials WHERE ticket_id = ANY ($1) ORDER BY ticket_id, state',
    [ids],
  );
  assert.deepEqual(rows, [
    { ticket_id: uploaded.id, state: 'done' },
    { ticket_id: results.id, state: 'pending' },
    { ticket_id: results.id, state: 'pending' },
  ]);
});
